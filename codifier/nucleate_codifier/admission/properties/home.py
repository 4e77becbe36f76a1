"""Where Hypothesis keeps what it prepares: not in whatever folder the program was started in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import configuration

_CHOSEN = "__hypothesis_home_directory"  # the module's own name for what was chosen; it has no reader


@contextmanager
def own_home() -> Iterator[None]:
    """Let it be the user's cache within the block, unless the program or its environment has chosen a folder."""
    if getattr(configuration, _CHOSEN, None) or os.environ.get("HYPOTHESIS_STORAGE_DIRECTORY"):
        yield
        return
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    configuration.set_hypothesis_home_dir(cache / "nucleate" / "hypothesis")
    try:
        yield
    finally:
        configuration.set_hypothesis_home_dir(None)
