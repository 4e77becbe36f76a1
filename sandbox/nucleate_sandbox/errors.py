"""Outages: the machine failed, and nothing is known about the program."""

from __future__ import annotations


class SandboxError(Exception):
    """The sandbox could not do its work. The message names the cause and the next step."""


class EngineUnavailable(SandboxError):
    """No Docker engine answers, or this user may not use it."""


class ImageMissing(SandboxError):
    """The engine has no sandbox image."""
