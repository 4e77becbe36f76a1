"""Outages: the machine failed, and nothing is known about the program."""

from __future__ import annotations


class SandboxError(Exception):
    """The sandbox could not do its work. The message names the cause and the next step."""


class EngineUnavailable(SandboxError):
    """No Docker engine answers, or this user may not use it."""


class EnvironmentUnavailable(SandboxError):
    """The environment does not answer at all: its server is gone or cannot be reached. No program is to blame.

    An environment raises it from `call`; the run that made the call then ends with it, whatever the program catches.
    """


class ImageMissing(SandboxError):
    """The engine has no sandbox image."""
