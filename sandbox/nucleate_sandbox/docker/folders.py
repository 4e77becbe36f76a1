"""Private folders on the host: each says whose it is, so that what a killed process left can be removed."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nucleate_sandbox.docker.labels import labels, orphaned

PREFIX = "nucleate-"
MARK = "owner.json"


@contextmanager
def owned_folder(purpose: str) -> Iterator[Path]:
    """Yield an empty folder beside a mark of its owner; both are gone at the end."""
    place = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        (place / MARK).write_text(json.dumps(labels(purpose)), encoding="utf-8")
        (place / "s").mkdir()
        yield place / "s"
    finally:
        shutil.rmtree(place, ignore_errors=True)


def reap_folders() -> tuple[Path, ...]:
    """Remove this user's folders whose owner is dead, and return them."""
    gone = tuple(place for place in sorted(Path(tempfile.gettempdir()).glob(f"{PREFIX}*")) if _left(place))
    for place in gone:
        shutil.rmtree(place, ignore_errors=True)
    return gone


def _left(place: Path) -> bool:
    try:
        if place.is_symlink() or not place.is_dir() or place.stat().st_uid != os.getuid():
            return False
        owner = json.loads((place / MARK).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(owner, dict) and orphaned(owner)
