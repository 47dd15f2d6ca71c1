# Tangled from org/python/package.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
"""Cadastre: a context-tracked registry of memory for numerical libraries.

>>> import cadastre
>>> with cadastre.Context(limits={"HOST": 1 << 30}) as context:
...     block = context.allocate((100, 3), "float64", label="positions")
...     context.statistics("HOST")["live_bytes"]
2400

Blocks are arrays for NumPy (numpy.asarray(block)), PyTorch and CuPy (from_dlpack, asarray) without a copy. Statistics and
reports are dicts and lists of dicts, which pandas.DataFrame() and json take.
"""

from cadastre._cadastre import (
    Account,
    Block,
    Context,
    Lease,
    backends,
    build_options,
    host_info,
    process,
    register_host,
    unregister,
    version,
)
from cadastre._errors import (
    AllocationFailed,
    CaptureActive,
    DeallocationFailed,
    Error,
    InvalidArgument,
    InvalidContext,
    InvalidEnvironment,
    LeaseAlive,
    LimitExceeded,
    NotSupported,
    OutOfBounds,
)
from cadastre._reports import black_boxes, report

__version__ = version()
__all__ = [
    "Account",
    "AllocationFailed",
    "Block",
    "CaptureActive",
    "Context",
    "DeallocationFailed",
    "Error",
    "InvalidArgument",
    "InvalidContext",
    "InvalidEnvironment",
    "Lease",
    "LeaseAlive",
    "LimitExceeded",
    "NotSupported",
    "OutOfBounds",
    "backends",
    "black_boxes",
    "build_options",
    "host_info",
    "process",
    "register_host",
    "report",
    "unregister",
    "version",
]
