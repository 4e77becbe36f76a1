"""The library's one error: every message names the value and the next step."""

from __future__ import annotations


class LibraryError(Exception):
    """The library refuses: an unknown name, a taken name, an illegal transition, an unreadable module."""
