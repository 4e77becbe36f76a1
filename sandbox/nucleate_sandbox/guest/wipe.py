"""Empties a directory whatever a program left in it: no recursion, so that depth cannot stop it."""

from __future__ import annotations

import os
import stat


def wipe(top: str) -> bool:
    """Remove everything below `top`; False when something stayed."""
    for _ in range(100_000):
        entries = list(os.scandir(top))
        if not entries:
            return True
        try:
            for number, entry in enumerate(entries):
                _remove(top, entry.name, number)
        except OSError:
            return False
    return False


def _remove(top: str, name: str, number: int) -> None:
    path = os.path.join(top, name)  # noqa: PTH118 - names here need not be valid text
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        os.unlink(path)  # noqa: PTH108
        return
    os.chmod(path, 0o700)  # noqa: PTH101
    for child in os.listdir(path):  # noqa: PTH208
        _lift(os.path.join(path, child), os.path.join(top, f".{number}.{child}"[:200]))  # noqa: PTH118
    os.rmdir(path)  # noqa: PTH106


def _lift(path: str, target: str) -> None:
    """Unlink a file; move a directory up, so that the next round finds it at the top."""
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        os.unlink(path)  # noqa: PTH108
        return
    while os.path.lexists(target):
        target = f"{target[:150]}.{os.urandom(8).hex()}"
    os.chmod(path, 0o700)  # noqa: PTH101
    os.rename(path, target)  # noqa: PTH104
