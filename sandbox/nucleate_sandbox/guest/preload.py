"""Imports what tools use before they ask: the server what is ours to trust, a waiting child what its image adds."""

from __future__ import annotations

import contextlib
import importlib
import os
from pathlib import Path

TOOL_PACKAGES = f"{os.path.dirname(os.__file__)}/tool-packages"  # noqa: PTH120 - in a layer, where there is one
MODULES = (
    "bisect", "calendar", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "hashlib", "heapq", "itertools", "json", "math", "operator", "random", "re", "statistics",
    "string", "textwrap", "traceback", "typing", "unicodedata", "zoneinfo",
)  # fmt: skip


def warm() -> None:
    """Import every module of the list."""
    for name in MODULES:
        importlib.import_module(name)


def listed_packages() -> tuple[str, ...]:
    """Return the names under which the packages of the image's layer are imported; none without a layer."""
    listed = Path(f"{TOOL_PACKAGES}.txt")
    return tuple(listed.read_text("utf-8").split()) if listed.exists() else ()


def warm_packages(names: tuple[str, ...]) -> None:
    """Import packages, in a child that waits for its program and not in the server.

    Their code is nobody's that we trust. One that cannot be imported fails again where the program imports it.
    """
    for name in names:
        with contextlib.suppress(BaseException):
            importlib.import_module(name)
