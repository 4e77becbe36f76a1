"""Imports what tools use before they ask: the server what is ours to trust, a waiting child what its image adds."""

from __future__ import annotations

import contextlib
import importlib
from pathlib import Path

MODULES = (
    "bisect", "calendar", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "hashlib", "heapq", "itertools", "json", "math", "operator", "random", "re", "statistics",
    "string", "textwrap", "traceback", "typing", "unicodedata", "zoneinfo",
)  # fmt: skip


def warm() -> None:
    """Import every module of the list."""
    for name in MODULES:
        importlib.import_module(name)


def warm_packages(folder: str) -> None:
    """Import the packages of the image's layer, in a child that waits for its program and not in the server.

    Their code is nobody's that we trust. One that cannot be imported fails again where the program imports it.
    """
    listed = Path(f"{folder}.txt")
    for name in listed.read_text("utf-8").split() if listed.exists() else ():
        with contextlib.suppress(BaseException):
            importlib.import_module(name)
