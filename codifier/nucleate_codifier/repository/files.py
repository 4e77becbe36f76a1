"""Reads the repository's text files: UTF-8, inside the repository, and no symbolic links."""

from __future__ import annotations

import difflib
import stat
from collections.abc import Iterable
from pathlib import Path

from nucleate_codifier.repository.project_values import RepositoryError

MAX_BYTES = 8 * 1024 * 1024


class UnreadableFile(RepositoryError):
    """One file cannot be read. The message names it and the next step."""


def read_text(path: Path, shown: str) -> str:
    """Return a file's text; `shown` is its name in messages."""
    if path.is_symlink():
        raise UnreadableFile(f"{shown}: a symbolic link is not followed; put the file itself there")
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # to read a pipe would wait for ever
            raise UnreadableFile(f"{shown}: no regular file, but a folder, a pipe or a device; move it elsewhere")
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableFile(f"{shown}: larger than {MAX_BYTES} bytes; split it")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{shown}: byte {error.start} is not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise UnreadableFile(f"{shown}: cannot be read ({error.strerror}); check the path") from error


def lines(text: str) -> Iterable[tuple[int, str]]:
    """Yield the lines that are not empty with their numbers; only a line feed ends a line."""
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def nearest(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?`, or what is known where nothing is near."""
    names = sorted(known)
    if not names:
        return "; it has none at all"
    near = difflib.get_close_matches(word[:80], names, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(names)}"


def root_of(path: Path) -> Path:
    """Return the repository of a path: the nearest folder with `.git`, else with pyproject.toml, else its own."""
    folder = path if path.is_dir() else path.parent
    marks = (
        item for mark in (".git", "pyproject.toml") for item in (folder, *folder.parents) if (item / mark).exists()
    )
    return next(marks, folder)


def shown(path: Path, root: Path) -> str:
    """Return a path from the root, with slashes; one that lies elsewhere is an error."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError as error:
        raise RepositoryError(
            f"{path.name!r} lies outside the repository {root.name!r}; judge it on its own"
        ) from error
