# Tangled from org/tests/python_device_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
import gc
import os
import sys

import cadastre
import numpy
from python_stage import Skip, claim, equal, live, raises, run

library = os.environ.get("CADASTRE_CUDA_LIBRARY", "")
double = ctypes.CDLL(library) if os.path.exists(library) else None


class Census(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("blocks", "bytes", "streams", "events", "pools", "graphs")]


def device_bytes():
    census = Census()
    double.cuda_double_count(ctypes.byref(census))
    return census.bytes


def calls(name):
    double.cuda_double_calls.restype = ctypes.c_long
    return double.cuda_double_calls(name.encode())


def new_stream():
    stream = ctypes.c_void_p()
    equal(double.cudaStreamCreateWithFlags(ctypes.byref(stream), 1), 0)
    return stream.value


def on_double(function):
    def checked():
        if double is None or not hasattr(double, "cuda_double_count"):
            raise Skip("there is no double of CUDA")
        function()

    return checked


@claim("DEVICE memory is no buffer of the host; it is copied there and back")
@on_double
def _():
    with cadastre.Context(backend="cuda") as context:
        block = context.allocate((4, 4), "float32", type="DEVICE", label="there")
        equal((block.backend, block.device_id, block.type), ("cuda", 0, "DEVICE"))
        raises(BufferError, memoryview, block)
        raises(AttributeError, lambda: block.__array_interface__)
        equal(hasattr(block, "__array_interface__"), False)
        a = numpy.arange(16, dtype="float32").reshape(4, 4)
        block.copy_from(a)
        b = numpy.zeros((4, 4), "float32")
        block.copy_to(b)
        equal(b.tolist(), a.tolist())
        block.fill(0)
        block.copy_to(b)
        equal(float(b.sum()), 0.0)
        stream = new_stream()
        block.copy_from(a, queue=stream)
        block.copy_to(b, queue=stream)
        equal(b.tolist(), a.tolist())
        equal(context.statistics("DEVICE", 0)["live_bytes"], 64)


@claim("__cuda_array_interface__ is as version 3 has it, with the stream that orders the block")
@on_double
def _():
    stream = new_stream()
    with cadastre.Context(backend="cuda") as context:
        for type, queue, expected in (("DEVICE", None, 1), ("UVM", None, 1), ("DEVICE", stream, stream), ("DEVICE", 2, 2)):
            block = context.allocate((3, 5), "int16", type=type, queue=queue)
            interface = block.__cuda_array_interface__
            equal(interface, {"shape": (3, 5), "typestr": "<i2", "data": (block.address, False), "strides": None, "version": 3, "stream": expected})
            raises(BufferError, block.free)
        del block
        context.set_default_queue(stream)
        equal(context.allocate(1, type="DEVICE").__cuda_array_interface__["stream"], stream)
        context.set_default_queue(None)
        equal(context.allocate(0, type="DEVICE").__cuda_array_interface__["data"], (0, False))
        for type in ("HOST", "PINNED"):
            raises(AttributeError, lambda: context.allocate(1, type=type).__cuda_array_interface__)
    gc.collect()
    equal(device_bytes(), 0)


@claim("the device of a tensor is what DLPack calls its memory")
@on_double
def _():
    with cadastre.Context(backend="cuda") as context:
        for type, expected in (("HOST", (1, 0)), ("PINNED", (3, 0)), ("DEVICE", (2, 0)), ("UVM", (13, 0))):
            equal(context.allocate(1, type=type).__dlpack_device__(), expected)
        pinned = context.allocate(4, "int32", type="PINNED")
        equal(numpy.from_dlpack(pinned).ctypes.data, pinned.address)


@claim("a tensor waits for the work on the block, unless the consumer's stream is the one that orders it")
@on_double
def _():
    stream, other = new_stream(), new_stream()
    with cadastre.Context(backend="cuda") as context:
        block = context.allocate(1000, type="DEVICE", queue=stream)

        def waits(number):
            before = calls("cudaStreamSynchronize")
            capsule = block.__dlpack__(stream=number)
            equal(block.users, 1)
            del capsule
            return calls("cudaStreamSynchronize") - before

        equal([waits(number) for number in (stream, -1, other, None, 1, 2)], [0, 0, 1, 1, 1, 1])
        raises(ValueError, block.__dlpack__, stream=0)
        raises(ValueError, block.__dlpack__, stream=-2)
        plain = context.allocate(1000, type="DEVICE")
        before = calls("cudaStreamSynchronize")
        del before
        capsules = [plain.__dlpack__(stream=number) for number in (None, 1, -1)]
        equal(plain.users, 3)
        del capsules
        equal(plain.users, 0)


@claim("arrays of NumPy may be PINNED or UVM memory")
@on_double
def _():
    with cadastre.Context(backend="cuda") as context:
        for type in ("PINNED", "UVM"):
            with context.numpy_arrays(type=type, label=type):
                a = numpy.ones(1000)
            equal((context.by_label()[0]["type"], context.by_label()[0]["live_bytes"], float((a + a).sum())), (type, 8000, 2000.0))
            del a


@claim("a free that the vendor refuses is an Error, and the block is gone")
@on_double
def _():
    context = cadastre.Context(backend="cuda")
    block = context.allocate(1000, type="DEVICE")
    double.cuda_double_fail(b"cudaFree", ctypes.c_long(1), ctypes.c_long(1), 1)
    try:
        error = raises(cadastre.DeallocationFailed, block.free)
    finally:
        double.cuda_double_fail(b"cudaFree", ctypes.c_long(1), ctypes.c_long(0), 1)
    equal((error.exit_code, error.reason, error.vendor_code, block.is_live, context.statistics()["failed_deallocations"]), (105, "BACKEND_FREE_FAILED", 1, False, 1))
    context.destroy()


@claim("a device without memory is a MemoryError that says how much was asked")
@on_double
def _():
    with cadastre.Context(backend="cuda") as context:
        double.cuda_double_fail(b"cudaMalloc", ctypes.c_long(1), ctypes.c_long(-1), 2)
        try:
            error = raises(MemoryError, context.allocate, 1000, type="DEVICE")
        finally:
            double.cuda_double_fail(b"cudaMalloc", ctypes.c_long(1), ctypes.c_long(0), 2)
        equal((error.reason, error.requested, error.type, error.vendor_code), ("BACKEND_OUT_OF_MEMORY", 1000, "DEVICE", 2))


sys.exit(run())
