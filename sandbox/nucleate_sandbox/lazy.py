"""Exports that are imported at their first use: a package stays light for those who need a part of it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping


def lazily(package: str, places: Mapping[str, str]) -> Callable[[str], object]:
    """Return a package's `__getattr__`, which finds each name in the module of its place."""

    def get(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(places[name]), name)

    return get
