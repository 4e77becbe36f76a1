"""Adapters that give an agent functions to call: plain Python objects, function files, recordings."""

from nucleate.environments.effects import effect
from nucleate.environments.function_files import FunctionsFile, FunctionsFileError, read_functions
from nucleate.environments.objects import ObjectEnvironment
from nucleate_sandbox import RecordedEnvironment

__all__ = [
    "FunctionsFile",
    "FunctionsFileError",
    "ObjectEnvironment",
    "RecordedEnvironment",
    "effect",
    "read_functions",
]
