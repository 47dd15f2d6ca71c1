# Tangled from org/python/allocators.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
"""The memory of PyTorch's and CuPy's arrays from a context.

>>> torch.cuda.memory.change_current_allocator(cadastre.allocators.torch_allocator(context))
>>> cupy.cuda.set_allocator(cupy.cuda.MemoryPool(cadastre.allocators.cupy_allocator(context).malloc).malloc)
"""

import ctypes
import glob
import os
from typing import Any, Optional

from cadastre._cadastre import Context

_torch_context: Optional[Context] = None


def library() -> str:
    """The path of the shared library that has the functions for PyTorch and CuPy."""
    found = glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "_allocators*.so"))
    if not found:
        raise FileNotFoundError("the package has no _allocators*.so: it is not installed as it was built")
    return found[0]


def torch_allocator(context: Optional[Context] = None) -> Any:
    """An allocator for torch.cuda.memory.change_current_allocator(), before anything is on a device.

    Memory is labelled "torch", and allocated and freed in the order of PyTorch's streams. It lies in a context below the
    one that is given, which therefore lives as long as the process. Without one, a context with a caching pool is made at
    the first allocation. RuntimeError when the process uses another context for PyTorch already; ImportError without
    PyTorch.
    """
    global _torch_context
    import torch

    if context is not None:
        below = Context(parent=context)
        if ctypes.CDLL(library()).cadastre_torch_set_context(ctypes.c_int64(below.handle)) != 0:
            raise RuntimeError("PyTorch's memory is in another context of this process already")
        _torch_context = below
    return torch.cuda.memory.CUDAPluggableAllocator(library(), "cadastre_torch_malloc", "cadastre_torch_free")


def cupy_allocator(context: Context) -> Any:
    """A cupy.cuda.CFunctionAllocator, whose memory is labelled "cupy" and lies in a context below the one that is given.

    Its method malloc() is what cupy.cuda.set_allocator() takes, or a cupy.cuda.MemoryPool above it: without a pool, each
    free waits for the device. ImportError without CuPy.
    """
    import cupy

    below = Context(parent=context)
    functions = ctypes.CDLL(library())
    malloc, free = (ctypes.cast(function, ctypes.c_void_p).value for function in (functions.cadastre_cupy_malloc, functions.cadastre_cupy_free))
    return cupy.cuda.memory.CFunctionAllocator(below.handle, malloc, free, below)
