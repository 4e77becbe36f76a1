"""Folders for runs that the database could not take: each run is a file, taken in later by any process, once.

A file is written whole before it has its name, and deleted only after the database has the run: a process that is
killed in between leaves it to the next. A run that was stored already is not stored again, whoever takes it in.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from nucleate_text_memory import Step, StepError, Trajectory, Utterance

MOST_RUNS = 1_000
MOST_BYTES = 64 * 1024 * 1024


class SpoolFull(Exception):
    """The spool holds as much as it may."""


class Spool:
    """The runs that wait, oldest first, in the first folder that takes them; all is its owner's alone to read."""

    def __init__(self, *folders: Path) -> None:
        self.folders = folders

    def put(self, trajectory: Trajectory) -> Path:
        """Keep a run; OSError where nothing can be written, SpoolFull where the bound is reached."""
        text = json.dumps(asdict(trajectory), ensure_ascii=True, allow_nan=False).encode()
        waiting = self._files()
        if len(waiting) >= MOST_RUNS or sum(_size(path) for path in waiting) + len(text) > MOST_BYTES:
            raise SpoolFull(f"{len(waiting)} runs wait already, which is the bound")
        name = f"{time.time_ns():020d}-{sha256(trajectory.task_id.encode()).hexdigest()[:16]}.json"
        for folder in self.folders[:-1]:
            with suppress(OSError):
                return _written(folder, name, text)
        return _written(self.folders[-1], name, text)

    def __len__(self) -> int:
        return len(self._files())

    def take_in(self, store: Callable[[Trajectory], object]) -> int:
        """Store every run that waits, and return how many there were; what `store` raises ends it, and all is kept.

        A file that cannot be read stays where it is, under another name.
        """
        taken = 0
        for path in self._files():
            trajectory = _read(path)
            if trajectory is not None:
                store(trajectory)
                path.unlink(missing_ok=True)
                taken += 1
        return taken

    def _files(self) -> list[Path]:
        return sorted((path for folder in self.folders for path in _found(folder)), key=lambda path: path.name)


def _found(folder: Path) -> list[Path]:
    try:
        return list(folder.glob("*.json"))
    except OSError:
        return []


def _written(folder: Path, name: str, text: bytes) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / name
    unfinished = path.with_suffix(f".{os.getpid()}.part")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        unfinished.rename(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
    return path


def _read(path: Path) -> Trajectory | None:
    """Return the run in a file; None for one that another process has taken in, or that cannot be read."""
    try:
        value = json.loads(path.read_bytes())
        return _trajectory(value)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError):
        path.rename(path.with_suffix(".unreadable"))
        return None


def _trajectory(value: dict[str, Any]) -> Trajectory:
    steps = tuple(
        Step(**{**step, "error": None if step["error"] is None else StepError(**step["error"])})
        for step in value["steps"]
    )
    said = tuple(Utterance(**item) for item in value["said"])
    return Trajectory(**{**value, "steps": steps, "said": said, "selected": tuple(value["selected"])})


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
