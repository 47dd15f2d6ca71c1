# Tangled from org/python/errors.org; change the chapter, then run: make tangle
# SPDX-License-Identifier: BSD-3-Clause
"""The exceptions of cadastre."""

from typing import Optional


class Error(Exception):
    """What a call of cadastre raises when it is refused; nothing was done, unless the call says what.

    exit_code is the number that C functions return, reason the name of the reason such as "LIMIT_EXCEEDED", and function
    the C function that refused. Numbers that do not apply are 0: requested, in_use, limit, required and size in bytes,
    pointer and base as addresses. backend, type and device_id are None where none is concerned.
    """

    exit_code: int = 0
    reason: str = "NONE"
    function: str = ""
    type: Optional[str] = None
    backend: Optional[str] = None
    device_id: Optional[int] = None
    argument: int = 0
    requested: int = 0
    in_use: int = 0
    limit: int = 0
    required: int = 0
    pointer: int = 0
    base: int = 0
    size: int = 0
    offset: int = 0
    vendor_code: int = 0
    vendor_message: str = ""


class InvalidArgument(Error, ValueError):
    """Raised when an argument is not one that the call takes."""


class InvalidContext(Error, ValueError):
    """Raised when the context has been destroyed."""


class AllocationFailed(Error, MemoryError):
    """Raised when the backend or the host has no memory left."""


class LimitExceeded(Error, MemoryError):
    """Raised when a limit of the context, of a parent or of the process leaves less."""


class DeallocationFailed(Error, RuntimeError):
    """Raised when a backend could not free memory; its record is gone."""


class OutOfBounds(Error, IndexError):
    """Raised when a range leaves its block."""


class NotSupported(Error, NotImplementedError):
    """Raised when this build or machine cannot do that."""


class InvalidEnvironment(Error, ValueError):
    """Raised when an environment variable has a value that it cannot have."""


class CaptureActive(Error, RuntimeError):
    """Raised when a queue is being captured into a graph."""


class LeaseAlive(Error, RuntimeError):
    """Raised when a lease of the workspace is alive."""


_CLASSES = {
    1: InvalidArgument,
    2: InvalidArgument,
    3: InvalidArgument,
    4: InvalidArgument,
    5: InvalidArgument,
    6: InvalidArgument,
    7: InvalidArgument,
    8: InvalidArgument,
    9: InvalidArgument,
    10: InvalidArgument,
    11: InvalidArgument,
    12: InvalidArgument,
    13: InvalidArgument,
    14: InvalidArgument,
    15: InvalidArgument,
    16: InvalidArgument,
    17: InvalidArgument,
    18: InvalidArgument,
    19: InvalidArgument,
    20: InvalidArgument,
    103: InvalidContext,
    104: AllocationFailed,
    201: LimitExceeded,
    105: DeallocationFailed,
    107: OutOfBounds,
    202: NotSupported,
    203: InvalidEnvironment,
    208: CaptureActive,
    209: LeaseAlive,
}


def _make(fields):
    """The exception for the fields of a cadastre_error_struct."""
    fields = dict(fields)
    error = _CLASSES.get(fields["exit_code"], Error)(fields.pop("message"))
    for name, value in fields.items():
        setattr(error, name, value)
    return error
