"""What your agents do again and again becomes tested Python."""

from nucleate.environments import ObjectEnvironment, RecordedEnvironment, effect
from nucleate.errors import DatabaseUnusable, InputInvalid, NucleateError, ToolFailed
from nucleate.recording import Recording
from nucleate.runtime import IngestReport, Runtime
from nucleate.settings import Settings
from nucleate.tools import CallableTool

__all__ = [
    "CallableTool",
    "DatabaseUnusable",
    "IngestReport",
    "InputInvalid",
    "NucleateError",
    "ObjectEnvironment",
    "RecordedEnvironment",
    "Recording",
    "Runtime",
    "Settings",
    "ToolFailed",
    "effect",
]
