"""What `nucleate ingest` reads: files, folders, patterns, standard input; packed or not."""

from __future__ import annotations

import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nucleate.cli.files import unreadable
from nucleate.cli.ingest.packed import SQLITE, ZstdError, rows, unpacked
from nucleate.errors import InputInvalid

STDIN = "-"
_ENDINGS = frozenset({".jsonl", ".ndjson", ".json", ".log", ".db"})
_PACKINGS = frozenset({".gz", ".zst"})
_WILD = frozenset("*?[")


@dataclass(frozen=True, kw_only=True)
class RecordingFile:
    """One file of recordings, or standard input (no path)."""

    path: Path | None

    @property
    def name(self) -> str:
        """Return what its tasks are called by, where they have no name of their own."""
        return "stdin" if self.path is None else _bare(self.path)

    @property
    def environment(self) -> str:
        """Return the name as an identifier."""
        name = "".join(c if c.isalnum() else "_" for c in self.name.lower()).strip("_")
        return name if name.isidentifier() else f"env_{name}"

    @contextmanager
    def lines(self) -> Iterator[Iterator[str]]:
        """Open it as a stream of lines, split at line feeds alone: JSON strings may hold other separators."""
        if self.path is None:
            yield _decoded(sys.stdin.buffer)
            return
        try:
            stream = self.path.open("rb")
            begins = stream.peek(len(SQLITE))[: len(SQLITE)]
        except OSError as error:
            raise unreadable(self.path, error.strerror or str(error)) from error
        with stream:
            lines = rows(self.path) if begins == SQLITE else _decoded(unpacked(stream, begins))
            yield _checked(lines, self.path)


def recordings(sources: Sequence[str]) -> list[RecordingFile]:
    """Return every file that the sources name, each once, in order; InputInvalid for one that names none."""
    found = [item for source in sources for item in _expanded(source)]
    return list(dict.fromkeys(found))


def _expanded(source: str) -> Iterable[RecordingFile]:
    path = Path(source).expanduser()
    if source == STDIN:
        return [RecordingFile(path=None)]
    if path.is_dir():
        return _some(source, sorted(file for file in path.rglob("*") if _is_recording(file)))
    if not path.exists() and _WILD & set(source):
        return _some(source, sorted(file for file in _matches(path) if file.is_file()))
    return [RecordingFile(path=path)]


def _some(source: str, files: list[Path]) -> list[RecordingFile]:
    if not files:
        raise InputInvalid(f"{source!r} holds no recordings (files that end with {', '.join(sorted(_ENDINGS))})")
    return [RecordingFile(path=file) for file in files]


def _matches(pattern: Path) -> Iterable[Path]:
    root = Path(pattern.anchor) if pattern.is_absolute() else Path()
    return root.glob(str(pattern.relative_to(root) if pattern.is_absolute() else pattern))


def _is_recording(path: Path) -> bool:
    ending = Path(path.stem).suffix if path.suffix in _PACKINGS else path.suffix
    return ending in _ENDINGS and path.is_file()


def _bare(path: Path) -> str:
    return Path(path.stem).stem if path.suffix in _PACKINGS else path.stem


def _checked(lines: Iterator[str], path: Path) -> Iterator[str]:
    try:
        yield from lines
    except (OSError, EOFError, zlib.error, ZstdError, sqlite3.Error) as error:
        raise unreadable(path, f"it breaks off: {error}") from error


def _decoded(lines: Iterable[bytes]) -> Iterator[str]:
    """Bytes that are no UTF-8 become half characters, which the reader reports with the line's number."""
    for line in lines:
        yield line.decode("utf-8", "surrogateescape")
