"""Commands of a shell as they were written: what a lesson quotes, and whether one is another one mended."""

from __future__ import annotations

from difflib import SequenceMatcher

from nucleate_text_memory.values import Trajectory

_ALIKE = 0.6  # of two commands' texts: a path or an option changed
_SHOWN = 300  # characters; a longer command is described, not quoted


def command_of(trajectory: Trajectory, index: int) -> str | None:
    """Return the command that a step is, as it was written in one line; None for a step that is none."""
    commands = trajectory.meta.get("commands")
    text = commands.get(str(index)) if isinstance(commands, dict) else None
    return text if isinstance(text, str) and "\n" not in text and "`" not in text and len(text) <= _SHOWN else None


def mends(trajectory: Trajectory, failed: int, later: int) -> bool:
    """Return whether a later command is the failed one mended, and not another piece of work by the same program.

    Steps that are no commands are left to others to judge.
    """
    before, after = command_of(trajectory, failed), command_of(trajectory, later)
    if before is None or after is None:
        return True
    grown = set(before.split()) <= set(after.split())
    return before != after and (grown or SequenceMatcher(None, before, after, autojunk=False).ratio() >= _ALIKE)


def folder_of(trajectory: Trajectory) -> str:
    """Return the name of the folder in which a run began; empty where it is not told."""
    return str(trajectory.meta.get("cwd") or "").rstrip("/").rpartition("/")[2]
