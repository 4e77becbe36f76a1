"""What is said of an error of ours, or of the packages below; anything else is a fault."""

from __future__ import annotations

from pydantic import ValidationError

from nucleate.environments import FunctionsFileError
from nucleate.errors import NucleateError
from nucleate_sandbox import FunctionError, SandboxError
from nucleate_text_memory import MemoryFault
from nucleate_tool_library import LibraryError

_OURS = (NucleateError, FunctionError, SandboxError, LibraryError, MemoryFault, FunctionsFileError)


def message_of(error: Exception) -> str | None:
    """Return the message of an error that a person can do something about; None for a fault."""
    if isinstance(error, ValidationError):
        return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
    return str(error) if isinstance(error, _OURS) else None
