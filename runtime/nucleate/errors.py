"""Errors of the front door. Each message names the value and the next step."""

from __future__ import annotations

from nucleate_sandbox import FunctionError


class NucleateError(Exception):
    """Base of the runtime's errors; the command line prints it as one line and exits with 2."""


class DatabaseUnusable(NucleateError):
    """The database cannot be opened, or is not one of ours."""


class InputInvalid(NucleateError):
    """Something that the caller handed in cannot be used."""


class ToolFailed(NucleateError):
    """A tool that was called as a plain function ended with a failure or at a limit."""


class ToolSuspect(NucleateError, FunctionError):
    """A tool is under suspicion, and is not called before it is verified; for an agent it is a refusal like others."""

    def __init__(self, message: str) -> None:
        FunctionError.__init__(self, message, kind="ToolSuspect")
