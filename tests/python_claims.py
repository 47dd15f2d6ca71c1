# Tangled from org/tests/python_claims.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
import array
import ast
import ctypes
import gc
import glob
import io
import json
import mmap
import os
import re
import subprocess
import sys
import threading
import time
import weakref

import cadastre
import numpy
from python_stage import Skip, claim, equal, in_child, live, raises, run

@claim("a block is an array of zeros that NumPy and memoryview see without a copy")
def _():
    with cadastre.Context() as context:
        block = context.allocate((3, 4), "float64", label="density")
        equal((block.shape, block.nbytes, block.dtype, block.type, block.label, len(block)), ((3, 4), 96, "float64", "HOST", "density", 3))
        a = numpy.asarray(block)
        equal((a.shape, a.dtype, a.ctypes.data, a.sum()), ((3, 4), numpy.float64, block.address, 0.0))
        a[2, 3] = 5.0
        view = memoryview(block)
        equal((view.format, view.shape, view.strides, view.readonly, view[2, 3]), ("d", (3, 4), (32, 8), False, 5.0))
        equal(io.BytesIO(b"\x01" * 96).readinto(block), 96)
        equal(bytes(block), b"\x01" * 96)
        del a
        view.release()


@claim("every type of elements has the format, the size and the array interface that NumPy has for it")
def _():
    with cadastre.Context() as context:
        for name in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split():
            for dtype in (name, numpy.dtype(name), getattr(numpy, name if name != "bool" else "bool_"), numpy.dtype(name).str):
                block = context.allocate(5, dtype)
                equal((numpy.asarray(block).dtype, block.dtype, block.nbytes), (numpy.dtype(name), name, 5 * numpy.dtype(name).itemsize))
            equal(block.__array_interface__["typestr"], numpy.dtype(name).str)
            equal(numpy.from_dlpack(block).dtype if name != "bool" else numpy.dtype(bool), numpy.dtype(name))
        equal([context.allocate(1, python).dtype for python in (float, int, complex, bool)], ["float64", "int64", "complex128", "bool"])
        for wrong in ("S5", "object", ">f8", "M8[s]", "", str, numpy.dtype("i4,f8"), None, 5):
            raises(TypeError, context.allocate, 1, wrong)


@claim("shapes: none, empty, of many dimensions; those that no memory has are refused, and nothing is allocated")
def _():
    with cadastre.Context() as context:
        equal(numpy.asarray(context.allocate((), "int32")).shape, ())
        raises(TypeError, len, context.allocate(()))
        empty = [context.allocate((0, 5), "float64"), context.allocate((1 << 20, 0, 1 << 20), "float64"), context.allocate(0)]
        equal([numpy.asarray(block).shape for block in empty], [(0, 5), (1 << 20, 0, 1 << 20), (0,)])
        equal(len({block.address for block in empty}), 3)
        equal(numpy.asarray(context.allocate((1,) * 32, "int8")).ndim, 32)
        raises(ValueError, context.allocate, (1,) * 65)
        raises(ValueError, context.allocate, -1)
        raises(ValueError, context.allocate, (5, -5))
        for huge in (1 << 63, (1 << 32, 1 << 32), ((1 << 62), 8)):
            raises(OverflowError, context.allocate, huge)
        raises(TypeError, context.allocate, 1.5)
        raises(TypeError, context.allocate, (2, "3"))
        raises(ValueError, context.allocate, 1, type="VIDEO")
        before = context.statistics()
        error = raises(MemoryError, context.allocate, (1 << 62))
        equal((type(error), error.requested, context.statistics()["live_blocks"]), (cadastre.AllocationFailed, 1 << 62, before["live_blocks"]))


@claim("an alignment is honoured, or refused; contents may be left undefined")
def _():
    with cadastre.Context() as context:
        for alignment in (16, 64, 4096, 1 << 20):
            equal(context.allocate(10, alignment=alignment).address % alignment, 0)
        error = raises(ValueError, context.allocate, 10, alignment=3)
        equal((type(error), error.reason, error.requested, error.function), (cadastre.InvalidArgument, "INVALID_ALIGNMENT", 3, "cadastre_malloc"))
        block = context.allocate(10, uninitialized=True)
        equal(block.info()["flags"], ["UNINITIALIZED"])


@claim("a block that is resized keeps its contents, and the rest is zero")
def _():
    with cadastre.Context() as context:
        block = context.allocate(4, "int64")
        numpy.asarray(block)[:] = 7
        block.resize((100000, 2))
        a = numpy.asarray(block)
        equal((a.shape, a.ravel()[:4].tolist(), int(a.sum()), block.info()["size"]), ((100000, 2), [7] * 4, 28, 1600000))
        raises(BufferError, block.resize, 4)
        del a
        block.resize(2)
        equal(numpy.asarray(block).tolist(), [7, 7])
        equal(context.statistics()["reallocations"], 2)


@claim("the text of a block and of a context says what they are, also after their end")
def _():
    context = cadastre.Context()
    block = context.allocate((2, 3), "float32", label="forces")
    equal(repr(block), "<cadastre.Block of (2, 3) float32 in HOST memory, label 'forces'>")
    block.free()
    assert repr(block).endswith(", freed>")
    assert repr(context) == f"<cadastre.Context {context.handle}>"
    context.close()
    assert "destroyed" in repr(context)

@claim("free is refused while an array, a view of it or a memoryview is alive, and works after the last one")
def _():
    with cadastre.Context() as context:
        block = context.allocate(100)
        a = numpy.asarray(block)
        view, part = memoryview(block), a[10:20]
        equal(block.users, 2)
        assert "2 users" in str(raises(BufferError, block.free))
        del a
        raises(BufferError, block.free)
        part[:] = 3  # the memory is there
        del part
        raises(BufferError, block.free)
        view.release()
        equal(block.users, 0)
        block.free()
        equal((live(), block.is_live), ((0, 0, 0), False))


@claim("a freed block gives no address, buffer, interface or tensor, and is not freed again")
def _():
    with cadastre.Context() as context:
        block = context.allocate(100)
        block.free()
        raises(BufferError, memoryview, block)
        for use in (block.free, block.info, block.__dlpack__, lambda: block.address, lambda: block.__array_interface__, lambda: block.resize(5),
                    lambda: block.copy_from(b"x"), lambda: block.copy_to(bytearray(5)), lambda: block.fill(1), lambda: context.copy(bytearray(100), block)):
            assert "freed" in str(raises(ValueError, use))
        equal((block.nbytes, block.shape, context.statistics()["deallocations"]), (100, (100,), 1))


@claim("an array keeps its block when all else is gone: the block, the context, both")
def _():
    context = cadastre.Context()
    a = numpy.asarray(context.allocate(1000, "int64"))
    del context
    gc.collect()
    equal(live(), (1, 8000, 0))
    a[:] = numpy.arange(1000)
    equal(int(a.sum()), 499500)
    del a
    equal(live(), (0, 0, 0))


@claim("at the end of a with, a block is freed, or else with its last user")
def _():
    with cadastre.Context() as context:
        with context.allocate(100) as block:
            pass
        assert not block.is_live
        with context.allocate(100) as block:
            a = numpy.asarray(block)
        assert block.is_live
        raises(BufferError, memoryview, block)
        a[:] = 1
        del a
        assert not block.is_live
        equal(live(), (0, 0, 0))


@claim("an address that was given away by an array interface is valid until its block is collected")
def _():
    with cadastre.Context() as context:
        block = context.allocate(8, "int32")
        interface = block.__array_interface__
        equal((interface["shape"], interface["typestr"], interface["data"], interface["version"], block.users), ((8,), "<i4", (block.address, False), 3, 1))
        equal(block.__array_interface__, interface)
        equal(block.users, 1)

        class Owner:
            __array_interface__ = interface

        a = numpy.asarray(Owner())
        a[0] = 4
        equal(memoryview(block)[0], 4)
        del a
        raises(BufferError, block.free)
        raises(AttributeError, lambda: block.__cuda_array_interface__)
        with block:
            pass
        assert block.is_live
        del block
        equal((live(), context.users), ((0, 0, 0), 0))


@claim("buffers are had in the forms that their users ask for, and their references add up")
def _():
    get, release = ctypes.pythonapi.PyObject_GetBuffer, ctypes.pythonapi.PyBuffer_Release
    with cadastre.Context() as context:
        block = context.allocate((4, 5), "float32")
        count = sys.getrefcount(block)
        view = (ctypes.c_char * 200)()
        for flags, refused in ((0, False), (1, False), (8, False), (0x18, False), (0x38, False), (0x58, True), (0x98, False), (0x11C, False)):
            if refused:
                raises(BufferError, get, ctypes.py_object(block), view, flags)
                equal((sys.getrefcount(block), block.users), (count, 0))
            else:
                equal(get(ctypes.py_object(block), view, flags), 0)
                equal((sys.getrefcount(block), block.users), (count + 1, 1))
                release(view)
        equal((sys.getrefcount(block), block.users), (count, 0))


@claim("a cycle of references with a block in it is collected, and the block freed")
def _():
    class Node:
        pass

    with cadastre.Context() as context:
        node = Node()
        node.itself, node.block = node, context.allocate(100)
        gone = weakref.ref(node)
        del node
        gc.collect()
        equal((gone(), live()), (None, (0, 0, 0)))


@claim("a million blocks are allocated, counted and freed")
def _():
    with cadastre.Context() as context:
        blocks = [context.allocate(16) for _ in range(1000000)]
        figures = context.statistics("HOST")
        equal((figures["live_blocks"], figures["live_bytes"], len({block.address for block in blocks[:1000]})), (1000000, 16000000, 1000))
        del blocks
        figures = context.statistics("HOST")
        equal((figures["live_blocks"], figures["deallocations"], context.users), (0, 1000000, 0))

@claim("destroy is refused while memory has users; else it says what was alive")
def _():
    context = cadastre.Context()
    kept = context.allocate(100, label="kept")
    also = context.allocate(28, label="also")
    a = numpy.asarray(kept)
    assert "1 user" in str(raises(BufferError, context.destroy))
    a[:] = 1
    equal((context.exists, kept.is_live, context.closed), (True, True, False))
    del a
    equal(context.destroy(), {"live_blocks": 2, "live_bytes": 128, "borrowed_blocks": 0, "failed_deallocations": 0, "live_leases": 0,
                              "largest_label": "kept", "largest_label_bytes": 100})
    equal((context.exists, kept.is_live, live()), (False, False, (0, 0, 0)))
    error = raises(cadastre.InvalidContext, context.destroy)
    equal((error.exit_code, error.reason), (103, "DESTROYED_CONTEXT"))
    raises(ValueError, kept.free)
    raises(BufferError, memoryview, also)
    assert "destroyed" in str(raises(ValueError, lambda: also.address))
    del kept, also


@claim("a closed context takes no requests, and ends with the last user of its memory")
def _():
    with cadastre.Context() as context:
        block = context.allocate(100)
        idle = context.allocate(100)
        a = numpy.asarray(block)
    equal((context.closed, context.exists, context.users), (True, True, 1))
    for call in (lambda: context.allocate(1), lambda: context.lease(1), lambda: context.numpy_arrays(), lambda: cadastre.Context(parent=context), context.__enter__):
        assert "closed" in str(raises(ValueError, call))
    a[:] = 1
    del a
    equal((context.exists, block.is_live, idle.is_live, live()), (False, False, False, (0, 0, 0)))
    context.close()


@claim("a context below another one keeps it, and its memory counts against its limits")
def _():
    parent = cadastre.Context(limits={"HOST": 1000})
    child = cadastre.Context(parent=parent)
    block = child.allocate(600)
    error = raises(MemoryError, parent.allocate, 600)
    equal((type(error), error.requested, error.in_use, error.limit), (cadastre.LimitExceeded, 600, 600, 1000))
    raises(BufferError, parent.destroy)
    parent.close()
    equal((parent.exists, child.exists, block.is_live), (True, True, True))
    del block
    child.destroy()
    del child
    equal(parent.exists, False)


@claim("what nothing has initialized is refused: it has no memory, and no address is made up")
def _():
    for kind in (cadastre.Block, cadastre.Lease):
        raises(TypeError, kind)
        raises(TypeError, kind.__new__, kind)
    nothing = cadastre.Context.__new__(cadastre.Context)
    equal(nothing.handle, 0)
    for call in (nothing.statistics, nothing.destroy, nothing.close, lambda: nothing.allocate(1), nothing.blocks, lambda: cadastre.Context(parent=nothing)):
        raises(ValueError, call)

    class Forgetful(cadastre.Context):
        def __init__(self):
            pass

    raises(TypeError, Forgetful)
    with cadastre.Context() as context:
        import copy
        import pickle

        for thing in (context, context.allocate(5), context.lease(5, type="HOST")):
            raises(TypeError, copy.copy, thing)
            raises(TypeError, pickle.dumps, thing)
        del thing


@claim("contexts compare by what they are, and a block knows its own")
def _():
    with cadastre.Context() as context, cadastre.Context() as other:
        block = context.allocate(1)
        assert block.context == context and hash(block.context) == hash(context) and block.context != other and context != 5
        raises(AttributeError, setattr, block, "shape", (1, 1))


@claim("options: a backend, pools and limits; those that are not known are refused")
def _():
    raises(ValueError, cadastre.Context, backend="quantum")
    raises(ValueError, cadastre.Context, pool="swimming")
    raises(ValueError, cadastre.Context, limits={"VIDEO": 1})
    raises(ValueError, cadastre.Context, device=-1)
    raises(TypeError, cadastre.Context, "host")
    raises(TypeError, cadastre.Context, limits={"HOST": -1})
    with cadastre.Context(backend="host", pool="caching", limits={"HOST": None, "ALL": 5000000, "PINNED": 0}) as context:
        equal((context.statistics("HOST")["limit"], context.statistics()["limit"], context.statistics("PINNED")["limit"]), (None, 5000000, 0))
        context.set_limit(100, "HOST")
        raises(MemoryError, context.allocate, 101)
        context.set_limit(None, "HOST")
        block = context.allocate(1 << 20)
        block.free()
        equal((context.pool("HOST")["pool"], context.pool()["releasable_bytes"] >= 1 << 20), ("caching", True))
        context.trim()
        equal(context.pool()["releasable_bytes"], 0)
    equal([backend["name"] for backend in cadastre.backends() if backend["name"] == "host" and backend["available"]], ["host"])

@claim("memory of the host is registered by a name, with its pages and nodes; contexts and blocks take it, and it says what it gave")
def _():
    cadastre.register_host("tables", page_size="transparent")
    try:
        same = raises(cadastre.InvalidArgument, cadastre.register_host, "tables")
        assert "tables" in str(same), same
        with cadastre.Context(backend="tables") as whole, cadastre.Context(backend="host") as part:
            own, of_part = whole.allocate(1 << 20), part.allocate(3000, label="integrals", backend="tables")
            equal((own.backend, of_part.backend, bytes(of_part)), ("tables", "tables", bytes(3000)))
            info = cadastre.host_info("tables")
            equal((info["backend"], info["numa_policy"], info["live_blocks"], info["live_bytes"]), ("tables", "default", 2, (1 << 20) + 3000))
            assert info["mapped_bytes"] >= info["live_bytes"] and "transparent" in info["description"], info
            equal(info["fallback_message"] == "", info["fallback_bytes"] == 0)
            used = raises(cadastre.Error, cadastre.unregister, "tables")
            equal((used.exit_code, used.backend, cadastre.host_info("tables")), (101, "tables", info))
        equal([cadastre.host_info("tables")[name] for name in ("live_blocks", "live_bytes", "mapped_bytes")], [0, 0, 0])
    finally:
        cadastre.unregister("tables")
    with cadastre.Context() as context:
        raises(cadastre.InvalidArgument, context.allocate, 1, backend="tables")
        raises(cadastre.InvalidArgument, cadastre.host_info, "tables")
        cadastre.register_host("tables", page_size=os.sysconf("SC_PAGESIZE"))
        context.allocate(1, backend="Tables").free()
        equal((cadastre.host_info("tables")["page_size"], cadastre.unregister("tables")), (os.sysconf("SC_PAGESIZE"), None))


@claim("a host memory resource that no machine has is refused with what would be right, and nothing is registered")
def _():
    assert "interleave" in str(raises(ValueError, cadastre.register_host, "wrong", numa_policy="nearby"))
    assert "transparent" in str(raises(ValueError, cadastre.register_host, "wrong", page_size="huge"))
    raises(TypeError, cadastre.register_host, "wrong", page_size=-1)
    raises(TypeError, cadastre.register_host, "wrong", 4096)
    for options in ({"page_size": 3000}, {"nodes": "0"}, {"numa_policy": "bind", "nodes": "0-"}, {"numa_policy": "near_device"}, {"near_device": "0000:41:00.0"}):
        refused = raises(cadastre.InvalidArgument, cadastre.register_host, "wrong", **options)
        equal((refused.argument, refused.function), (2, "cadastre_backend_register_host"))
    for name in ("", "host", "x" * 64):
        equal(raises(cadastre.InvalidArgument, cadastre.register_host, name).argument, 1)
    raises(cadastre.NotSupported, cadastre.register_host, "wrong", page_size=1 << 34, strict=True)
    raises(cadastre.InvalidArgument, cadastre.host_info, "host")
    raises(cadastre.InvalidArgument, cadastre.unregister, "host")
    for call in (cadastre.host_info, cadastre.unregister):
        assert "'wrong' is not a backend" in str(raises(ValueError, call, "wrong"))


@claim("processes share a block whose resource has the same name, and whose label and size are the same")
def _():
    name = f"tables {os.getpid()}"
    try:
        cadastre.register_host(name, shared=True)
    except cadastre.NotSupported as refused:
        raise Skip(str(refused))
    with cadastre.Context() as context:
        with context.allocate(100, label="shared", backend=name) as block:
            equal("ATTACHED" in block.info()["flags"], False)
            with memoryview(block) as view:
                view[7] = 42
            program = f"""if True:
                import cadastre
                cadastre.register_host({name!r}, shared=True)
                block = cadastre.Context().allocate(100, label="shared", backend={name!r})
                view = memoryview(block)
                print("ATTACHED" in block.info()["flags"], view[7])
                view[8] = 43"""
            equal(in_child(program), "True 42")
            equal(memoryview(block)[8], 43)
    cadastre.unregister(name)


@claim("statistics, blocks and labels are dicts of plain values that JSON takes, with exact figures")
def _():
    with cadastre.Context() as context:
        a = [context.allocate(100, label="a") for _ in range(3)]
        b = context.allocate(1000, label="b", alignment=64)
        none = context.allocate(5)
        a.pop().free()
        figures = context.statistics("HOST")
        equal({key: figures[key] for key in ("type", "allocations", "deallocations", "live_blocks", "live_bytes", "high_water_mark_bytes", "total_bytes", "zeroed_bytes", "limit")},
              {"type": "HOST", "allocations": 5, "deallocations": 1, "live_blocks": 4, "live_bytes": 1205, "high_water_mark_bytes": 1305, "total_bytes": 1305,
               "zeroed_bytes": 1305, "limit": None})
        equal({**context.statistics(), "type": "HOST"}, figures)
        equal([row["type"] for row in context.statistics_by_type()], ["HOST", "PINNED", "DEVICE", "UVM"])
        equal(context.by_label(), [{"label": "b", "type": "HOST", "live_blocks": 1, "live_bytes": 1000}, {"label": "a", "type": "HOST", "live_blocks": 2, "live_bytes": 200},
                                   {"label": None, "type": "HOST", "live_blocks": 1, "live_bytes": 5}])
        equal([(row["size"], row["label"], row["type"], row["backend"], row["device_id"]) for row in context.blocks()],
              [(100, "a", "HOST", "host", None), (100, "a", "HOST", "host", None), (1000, "b", "HOST", "host", None), (5, None, "HOST", "host", None)])
        found = context.find(b.address + 7)
        equal((found["offset"], found["label"], found["address"], context.find(1), found["alignment"] >= 64), (7, "b", b.address, None, True))
        equal(json.loads(json.dumps([context.statistics_by_type(), context.blocks(), context.by_label(), context.pool(), context.registry(), context.workspace("HOST")]))[1],
              context.blocks())
        equal(context.registry()["live_records"], 4)
        report = context.report()
        equal((report["context"] if "context" in report else context.handle, "b" in json.dumps(report)), (report.get("context", context.handle), True))
        assert "1 000" in context.report_text() or "1000" in context.report_text()
        context.reset_high_water_mark()
        equal(context.statistics("HOST")["high_water_mark_bytes"], 1205)
        equal(cadastre.process.statistics()["live_bytes"], 1205)
        assert len({json.dumps(sorted(row)) for row in context.blocks()}) == 1
        assert none.label is None


@claim("labels are texts of any language; one that is too long is refused")
def _():
    with cadastre.Context() as context:
        block = context.allocate(1, label="плотность 密度")
        equal((block.label, context.by_label()[0]["label"]), ("плотность 密度",) * 2)
        equal(raises(ValueError, context.allocate, 1, label="x" * 256).reason, "LABEL_TOO_LONG")
        raises(TypeError, context.allocate, 1, label=5)

@claim("each class of errors is also the built-in one, and has what the library knows")
def _():
    for name, also in (("InvalidArgument", ValueError), ("AllocationFailed", MemoryError), ("LimitExceeded", MemoryError), ("OutOfBounds", IndexError),
                       ("NotSupported", NotImplementedError), ("InvalidContext", ValueError), ("InvalidEnvironment", ValueError)):
        assert issubclass(getattr(cadastre, name), also) and issubclass(getattr(cadastre, name), cadastre.Error)
    with cadastre.Context() as context:
        error = raises(cadastre.NotSupported, context.allocate, 10, type="DEVICE")
        equal((error.exit_code, error.reason, error.type, error.backend), (202, "MEMORY_TYPE_NOT_SUPPORTED", "DEVICE", "host"))
        assert str(error).startswith("cadastre_malloc: ") and "DEVICE" in str(error)
        error = raises(cadastre.Error, context.unlock)
        equal((type(error), error.exit_code, error.reason), (cadastre.Error, 101, "NOT_LOCKED"))


@claim("a backend without memory is a MemoryError, and the figures are as before")
def _():
    text = """
import cadastre
context = cadastre.Context()
kept = context.allocate(10)
try:
    context.allocate(1000)
except MemoryError as error:
    print(type(error).__name__, error.reason, error.exit_code, context.statistics()["live_blocks"], context.statistics()["failed_allocations"])
context.allocate(1000)
"""
    equal(in_child(text, CADASTRE_FAIL="malloc:2"), "AllocationFailed INJECTED 104 1 1")

@claim("copies go between blocks, buffers and addresses, and their bounds are checked before a byte moves")
def _():
    with cadastre.Context() as context:
        a, b = context.allocate(100), context.allocate(50)
        a.copy_from(bytes(range(100)))
        b.copy_from(a, 50)
        equal(bytes(b), bytes(range(50)))
        out = bytearray(100)
        a.copy_to(out)
        equal(out, bytes(range(100)))
        target = array.array("i", [0] * 25)
        context.copy(target, a)
        equal(target.tobytes(), bytes(range(100)))
        context.copy(b.address + 10, a.address, 5)
        equal(bytes(b)[9:16], bytes((9, 0, 1, 2, 3, 4, 15)))
        before = bytes(b)
        for call in (lambda: b.copy_from(a), lambda: a.copy_from(b, 51), lambda: context.copy(bytearray(10), a), lambda: a.fill(1, 101),
                     lambda: context.copy(b.address + 10, a.address, 50)):
            error = raises(IndexError, call)
            equal((type(error), error.exit_code), (cadastre.OutOfBounds, 107))
        equal(bytes(b), before)
        raises(TypeError, a.copy_from, 1.5)
        raises(BufferError, a.copy_to, bytes(100))
        raises(ValueError, a.copy_from, numpy.zeros((10, 20), "u1")[:, ::2])
        raises(ValueError, context.copy, a.address, b.address)
        raises(cadastre.InvalidArgument, context.copy, a.address + 1, a.address, 50)
        raises(TypeError, a.copy_from, b"1", queue="1")
        raises(TypeError, a.copy_from, b"1", queue=-1)
        a.copy_from(memoryview(a))
        a.fill(7)
        equal(bytes(a), b"\x07" * 100)
        context.fill(a, 0x1FF, 10)
        equal(bytes(a)[8:12], b"\xff\xff\x07\x07")
        equal((a.users, b.users), (0, 0))

@claim("a lease has buffers that go back together, and not while one of them is used")
def _():
    with cadastre.Context() as context:
        lease = context.lease([1000, 0, 64], type="HOST")
        equal((len(lease), [buffer.nbytes for buffer in lease], lease[-1].nbytes, context.workspace("HOST")["live_leases"]), (3, [1000, 0, 64], 64, 1))
        raises(IndexError, lambda: lease[3])
        a = numpy.asarray(lease[0])
        a[:] = 1
        raises(BufferError, lease.release)
        raises(TypeError, lease[0].free)
        raises(TypeError, lease[0].resize, 5)
        del a
        lease.release()
        raises(ValueError, lease.release)
        raises(BufferError, memoryview, lease[0])
        equal(context.workspace("HOST")["live_leases"], 0)
        with context.lease(100) as other:
            kept = numpy.asarray(other[0])
        equal((other.is_live, context.workspace("HOST")["live_leases"]), (True, 1))
        del kept
        equal((other.is_live, context.workspace("HOST")["live_leases"]), (False, 0))
        buffer = context.lease(100)[0]
        equal(context.workspace("HOST")["live_leases"], 1)
        del buffer
        equal(context.workspace("HOST")["live_leases"], 0)
        raises(MemoryError, context.lease, 1 << 62)
        raises(TypeError, context.lease, [1, "2"])

def capsule_name(capsule):
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return name(capsule)


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


def contents(capsule, kind=Managed):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return kind.from_address(pointer(capsule, capsule_name(capsule)))


def take(capsule):
    """As a consumer does it: the capsule has no tensor any more."""
    managed = contents(capsule)
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    take.name = b"used_dltensor"
    equal(rename(capsule, take.name), 0)
    return managed


@claim("NumPy takes a block by DLPack without a copy, and keeps it")
def _():
    context = cadastre.Context()
    block = context.allocate((2, 3), "float32")
    numpy.asarray(block)[:] = 2
    a = numpy.from_dlpack(block)
    equal((a.shape, a.ctypes.data, memoryview(block)[1, 2], block.users), ((2, 3), block.address, 2.0, 1))
    raises(BufferError, block.free)
    del block, context
    equal(live(), (1, 24, 0))
    equal(float(a.sum()), 12.0)
    del a
    equal(live(), (0, 0, 0))


@claim("a capsule is as the standard has it: its name, shape, strides, type; a deleter that nobody took is called by it")
def _():
    with cadastre.Context() as context:
        block = context.allocate((2, 3, 5), "complex64")
        capsule = block.__dlpack__()
        equal((capsule_name(capsule), block.users, block.__dlpack_device__()), (b"dltensor", 1, (1, 0)))
        tensor = contents(capsule).tensor
        equal((tensor.data, tensor.device_type, tensor.device_id, tensor.ndim, tensor.code, tensor.bits, tensor.lanes, tensor.shape[:3], tensor.strides[:3], tensor.byte_offset),
              (block.address, 1, 0, 3, 5, 64, 1, [2, 3, 5], [15, 5, 1], 0))
        del capsule
        equal(block.users, 0)
        capsule = block.__dlpack__(max_version=(1, 0))
        versioned = contents(capsule, Versioned)
        equal((capsule_name(capsule), versioned.major, versioned.flags, versioned.tensor.data), (b"dltensor_versioned", 1, 0, block.address))
        del capsule
        equal(block.users, 0)
        raises(BufferError, block.__dlpack__, stream=1)
        raises(BufferError, block.__dlpack__, copy=True)
        raises(BufferError, block.__dlpack__, dl_device=(2, 0))
        del versioned
        equal((block.users, block.__dlpack__(stream=-1, max_version=(0, 8), dl_device=(1, 0), copy=False) is None), (0, False))


@claim("a tensor's deleter may be called on a thread that Python does not know, after all else is gone, and frees the memory")
def _():
    libc = ctypes.CDLL(None)
    context = cadastre.Context()
    block = context.allocate(1000)
    capsule = block.__dlpack__()
    managed = take(capsule)
    address, deleter = ctypes.addressof(managed), ctypes.cast(managed.deleter, ctypes.c_void_p).value
    context.close()
    del block, capsule, context
    equal(live(), (1, 1000, 0))
    thread = ctypes.c_ulong()
    equal(libc.pthread_create(ctypes.byref(thread), None, ctypes.c_void_p(deleter), ctypes.c_void_p(address)), 0)
    libc.pthread_join(thread, None)
    equal(live(), (0, 0, 0))

@claim("arrays that NumPy makes in a with are blocks of the context, zeroed where NumPy says so, and freed by NumPy")
def _():
    with cadastre.Context() as context:
        with context.numpy_arrays(label="work"):
            a = numpy.zeros(1000)
            b = numpy.empty(10, "int8")
            c = a + 1
        outside = numpy.zeros(1000)
        equal(context.by_label(), [{"label": "work", "type": "HOST", "live_blocks": 3, "live_bytes": 16010}])
        found = context.find(a.ctypes.data)
        equal((found["offset"], found["flags"], a.ctypes.data % 64, context.find(outside.ctypes.data)), (0, [], 0, None))
        equal((context.find(b.ctypes.data)["flags"], float(c.sum()), context.users), (["UNINITIALIZED"], 1000.0, 3))
        raises(BufferError, context.destroy)
        a.resize(2000, refcheck=False)
        equal((context.statistics()["reallocations"], context.find(a.ctypes.data)["size"], float(a.sum())), (1, 16000, 0.0))
        del a, b, c
        equal((context.users, live()), (0, (0, 0, 0)))


@claim("such an array may outlive the with, the context's object and its thread")
def _():
    made = []

    def work():
        with cadastre.Context() as context, context.numpy_arrays():
            made.append(numpy.ones(5000))
            made.append(context)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    equal((made[1].closed, made[1].exists, live()), (True, True, (1, 40000, 0)))
    equal(float(made[0].sum()), 5000.0)
    made[0].resize(6000, refcheck=False)
    equal(float(made[0].sum()), 5000.0)
    del made[0]
    equal((made[0].exists, live()), (False, (0, 0, 0)))


@claim("such statements nest, another thread has its own handler, and an exception takes the handler away")
def _():
    with cadastre.Context() as one, cadastre.Context() as two:
        with one.numpy_arrays(label="one") as nothing:
            a = numpy.zeros(10)
            try:
                with two.numpy_arrays(label="two"):
                    b = numpy.zeros(20)
                    raise KeyError
            except KeyError:
                pass
            c = numpy.zeros(30)
            others = []
            thread = threading.Thread(target=lambda: others.append(numpy.zeros(40)))
            thread.start()
            thread.join()
        d = numpy.zeros(50)
        equal((nothing, one.statistics()["live_bytes"], two.statistics()["live_bytes"]), (None, 320, 160))
        twice = one.numpy_arrays()
        with twice, twice:
            e = numpy.zeros(5)
        f = numpy.zeros(5)
        raises(RuntimeError, twice.__exit__, None, None, None)
        equal((one.statistics()["live_bytes"], one.find(f.ctypes.data)), (360, None))
        del a, b, c, d, e, f


@claim("a limit of the context is NumPy's MemoryError, and DEVICE memory is no memory for arrays")
def _():
    with cadastre.Context(limits={"HOST": 1000}) as context:
        with context.numpy_arrays():
            raises(MemoryError, numpy.zeros, 1000)
            a = numpy.zeros(100)
            raises(MemoryError, a.resize, 1000, refcheck=False)
        equal(a.nbytes, 800)
        raises(ValueError, context.numpy_arrays, type="DEVICE")
        raises(ValueError, context.numpy_arrays, label="x" * 300)
        del a

@claim("threads allocate, look at and free blocks of one context together, and no figure is lost")
def _():
    with cadastre.Context() as context:
        shared, failures = [], []

        def work(number):
            try:
                for i in range(2000):
                    block = context.allocate(64, label=f"thread {number}")
                    memoryview(block)[0] = number
                    shared.append(block)
                    if i % 2:
                        other = shared.pop(0)
                        assert memoryview(other)[0] < 8
                        try:
                            other.free()
                        except BufferError:
                            pass
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        equal(failures, [])
        equal((context.statistics()["allocations"], len(shared)), (16000, 8000))
        shared.clear()
        equal((context.statistics()["deallocations"], context.users), (16000, 0))


@claim("a thread that holds a context's lock and one that wants it do not wait for the interpreter for ever")
def _():
    with cadastre.Context() as context:
        kept, moved, order, held = context.allocate(10), context.allocate(10), [], threading.Event()

        def holder():
            with context.locked():
                held.set()
                for _ in range(50):
                    time.sleep(0.001)
                    context.allocate(10).free()
                order.append("holder")

        def waiter(call):
            held.wait()
            call()
            order.append("waiter")

        doomed = [context.allocate(10)]
        calls = [lambda: context.allocate(10), lambda: context.statistics(), context.blocks, doomed.clear, lambda: context.find(5), context.report, lambda: context.lease(10, type="HOST"),
                 lambda: kept.fill(1), lambda: moved.resize(20)]
        threads = [threading.Thread(target=holder)] + [threading.Thread(target=waiter, args=(call,)) for call in calls]
        for thread in threads:
            thread.daemon = True
            thread.start()
        for thread in threads:
            thread.join(20)
        equal(([thread.is_alive() for thread in threads], order), ([False] * len(threads), ["holder"] + ["waiter"] * len(calls)))
        raises(cadastre.Error, context.unlock)


@claim("the child of a fork has the context and its blocks, and ends well")
def _():
    text = """
import os, numpy, cadastre
context = cadastre.Context()
block = context.allocate(100, label="before")
a = numpy.asarray(block)
a[:] = 3
with context.numpy_arrays():
    inside = numpy.ones(10)
child = os.fork()
if child == 0:
    assert a.sum() == 300 and inside.sum() == 10
    more = context.allocate(50)
    del a, inside
    block.free()
    more.free()
    assert context.statistics()["live_blocks"] == 0
    context.destroy()
    raise SystemExit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), context.statistics()["live_blocks"], int(a.sum()))
"""
    equal(in_child(text), "0 2 300")


@claim("the interpreter ends with whatever is alive: blocks in globals, arrays, leases, tensors, handlers, threads")
def _():
    text = """
import atexit, sys, threading, numpy, cadastre
context = cadastre.Context()
block = context.allocate(100)
a = numpy.asarray(block)
view = memoryview(block)
capsule = block.__dlpack__()
lease = context.lease([10, 20], type="HOST")
arrays = context.numpy_arrays()
arrays.__enter__()
inside = numpy.ones(1000)
class Late:
    def __init__(self): self.block = context.allocate(5)
    def __del__(self): self.block = None
late = Late()
sys.late = Late()
atexit.register(lambda: context.allocate(5).free())
def work():
    while True:
        context.allocate(1 << 20).free()
        numpy.asarray(context.allocate(100))
for _ in range(3): threading.Thread(target=work, daemon=True).start()
child = cadastre.Context(parent=context)
print("end")
"""
    for _ in range(3):
        equal(in_child(text), "end")


@claim("files are read into a block, and a block is written, by the system itself")
def _():
    path = os.path.join(os.environ["SCRATCH"], "numbers")
    with cadastre.Context() as context:
        block = context.allocate(1000, "float64")
        numpy.asarray(block)[:] = numpy.arange(1000)
        with open(path, "wb", buffering=0) as file:
            equal(file.write(block), 8000)
        other = context.allocate(1000, "float64")
        with open(path, "rb", buffering=0) as file:
            equal(file.readinto(other), 8000)
        equal(bytes(other), bytes(block))

@claim("a report on traces is what the command writes as JSON; what it refuses is an Error")
def _():
    if not os.path.exists(os.environ.get("CADASTRE_COMMAND", "")):
        raise Skip("the command is not built")
    trace = os.path.join(os.environ["SRCDIR"], "traces", "test_qmckl_memory.trace.gz")
    report = cadastre.report(trace)
    equal(([type(one) for one in report["traces"]], report["schema_version"] >= 1), ([dict], True))
    equal(len(cadastre.report(trace, trace)["traces"]), 2)
    error = raises(cadastre.Error, cadastre.report, os.path.join(os.environ["SCRATCH"], "missing"))
    assert "missing" in str(error)
    raises(ValueError, cadastre.report)
    hyphen = os.path.join(os.environ["SCRATCH"], "-o")
    raises(cadastre.Error, cadastre.report, "-o")
    assert not os.path.exists(hyphen)


@claim("a trace and a black box that a program of Python leaves are read")
def _():
    if not os.path.exists(os.environ.get("CADASTRE_COMMAND", "")):
        raise Skip("the command is not built")
    trace = os.path.join(os.environ["SCRATCH"], "python.trace")
    in_child("import cadastre\nwith cadastre.Context() as context:\n    context.allocate(12345, label='traced')", CADASTRE_TRACE=trace)
    assert "traced" in json.dumps(cadastre.report(*glob.glob(trace + "*")))
    box = os.path.join(os.environ["SCRATCH"], "box")
    os.mkdir(box)
    text = "import cadastre, os\ncontext = cadastre.Context()\nblock = context.allocate(54321, label='boxed')\nos.kill(os.getpid(), 9)"
    equal(subprocess.run([sys.executable, "-c", text], env={**os.environ, "CADASTRE_BLACKBOX": box}, check=False).returncode, -9)
    assert "boxed" in json.dumps(cadastre.black_boxes(box))
    assert "boxed" in json.dumps(cadastre.black_boxes(*glob.glob(box + "/*")))
    assert "--blackbox" in str(raises(cadastre.Error, cadastre.report, *glob.glob(box + "/*")))


@claim("without the command, a report says what is missing")
def _():
    before = os.environ.pop("CADASTRE_COMMAND", None)
    try:
        os.environ["CADASTRE_COMMAND"] = "/nowhere/cadastre"
        assert "--enable-command" in str(raises(FileNotFoundError, cadastre.report, "x"))
    finally:
        del os.environ["CADASTRE_COMMAND"]
        if before is not None:
            os.environ["CADASTRE_COMMAND"] = before

def parameters(function):
    """Of a stub: names, which are keywords alone, and which have a default, as pybind11 writes them."""
    a = function.args
    plain = a.args[1:] if a.args and a.args[0].arg == "self" else a.args
    ordered = [(p.arg, i >= len(plain) - len(a.defaults)) for i, p in enumerate(plain)]
    keywords = [(p.arg, default is not None) for p, default in zip(a.kwonlyargs, a.kw_defaults)]
    return ordered + ([("*", False)] if keywords else []) + keywords


def parameters_of(documented):
    text = documented[documented.index("(") + 1 : documented.index(") ->")]
    found = []
    for part in re.sub(r"\[[^][]*(\[[^][]*(\[[^][]*\])?[^][]*\])*[^][]*\]", "", text).split(", "):
        if part and not part.startswith("self"):
            found.append((part.split(":")[0], "=" in part))
    return found


@claim("the stub for checkers of types has all names of the extension, with their parameters and defaults")
def _():
    path = os.path.join(os.path.dirname(cadastre.__file__), "_cadastre.pyi")
    with open(path) as file:
        tree = ast.parse(file.read())
    extension = sys.modules["cadastre._cadastre"]
    own = {"__enter__", "__exit__", "__init__", "__len__", "__getitem__", "__dlpack__", "__dlpack_device__", "__array_interface__", "__cuda_array_interface__"}
    stub = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    equal(sorted(stub), sorted(name for name in vars(extension) if not name.startswith("_") and name != "process"))
    compared = 0
    for name, node in stub.items():
        if isinstance(node, ast.FunctionDef):
            continue
        there = {key: value for key, value in vars(getattr(extension, name)).items() if not key.startswith("_") or key in own}
        if name != "Context":
            there.pop("__init__", None)
        written = {member.name: member for member in node.body}
        equal(sorted(set(written) - {"__buffer__", "__iter__"}), sorted(there))
        for member, function in written.items():
            value = there.get(member)
            if isinstance(value, property):
                assert function.decorator_list, member
            elif value is not None and member not in ("__exit__", "__enter__", "__len__"):
                equal((member, parameters_of(value.__doc__)), (member, parameters(function)))
                compared += 1
    assert compared > 30, compared


@claim("every public name has a description")
def _():
    for name in cadastre.__all__:
        thing = getattr(cadastre, name)
        if name == "process":
            continue
        assert (thing.__doc__ or "").strip(), name
        if isinstance(thing, type) and not issubclass(thing, Exception):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    assert len((value.__doc__ or "").split("\n", 1)[-1].strip()) > 10, f"{name}.{member}"

sys.exit(run())
