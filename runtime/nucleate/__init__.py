"""What your agents do again and again becomes tested Python."""

import typing

from nucleate.errors import DatabaseUnusable, InputInvalid, NucleateError, ToolFailed, ToolSuspect
from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.environments import ObjectEnvironment, RecordedEnvironment, effect
    from nucleate.recording import FunctionEnvironment, Recording
    from nucleate.recording.intake import IngestReport
    from nucleate.repositories import admit_repository
    from nucleate.runtime import Runtime
    from nucleate.settings.settings import Settings
    from nucleate.tools import CallableTool
else:
    _PLACES = {
        "CallableTool": "tools",
        "FunctionEnvironment": "recording",
        "IngestReport": "recording.intake",
        "ObjectEnvironment": "environments",
        "RecordedEnvironment": "environments",
        "Recording": "recording",
        "Runtime": "runtime",
        "Settings": "settings.settings",
        "admit_repository": "repositories",
        "effect": "environments",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = [
    "CallableTool",
    "DatabaseUnusable",
    "FunctionEnvironment",
    "IngestReport",
    "InputInvalid",
    "NucleateError",
    "ObjectEnvironment",
    "RecordedEnvironment",
    "Recording",
    "Runtime",
    "Settings",
    "ToolFailed",
    "ToolSuspect",
    "admit_repository",
    "effect",
]
