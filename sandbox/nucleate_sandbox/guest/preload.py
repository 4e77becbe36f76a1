"""Imports what tools commonly use, once, so that a forked child finds it there."""

from __future__ import annotations

import importlib

MODULES = (
    "bisect", "calendar", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "hashlib", "heapq", "itertools", "json", "math", "operator", "random", "re", "statistics",
    "string", "textwrap", "traceback", "typing", "unicodedata", "zoneinfo",
)  # fmt: skip


def warm() -> None:
    """Import every module of the list."""
    for name in MODULES:
        importlib.import_module(name)
