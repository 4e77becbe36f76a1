"""The troubles: each spoils a database that is there, for as long as the program runs."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Spoiled = Callable[[Path], Any]


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """What is wrong: done to the database around the program, or told to the program."""

    name: str
    spoiled: Spoiled = lambda _path: nullcontext()
    place: Callable[[Path], str] = str
    words: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    largest_file: int | None = None

    def limited(self) -> None:
        """Bound the files that the program may write, in its process; a full disk refuses the same way."""
        if self.largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.largest_file, self.largest_file))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let another process write without end."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


@contextmanager
def newer(path: Path) -> Iterator[None]:
    """Let a later version have changed the schema."""
    before = _version(path, "9999")
    try:
        yield
    finally:
        _version(path, before)


@contextmanager
def damaged(path: Path) -> Iterator[None]:
    """Let the file be none of a database."""
    whole = path.read_bytes()
    path.write_bytes(b"nonsense" * 4096)
    try:
        yield
    finally:
        path.write_bytes(whole)


def _version(path: Path, revision: str) -> str:
    with sqlite3.connect(path) as connection:
        (before,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    connection.close()
    return str(before)


def read_only(path: Path) -> str:
    """Return an address under which nobody may write."""
    return f"sqlite:///file:{path}?mode=ro&uri=true"


NO_MODEL = {"NUCLEATE_MODEL": "openai/none", "NUCLEATE_MODEL_URL": "http://127.0.0.1:9", "NUCLEATE_REFLECTION": "model"}
TROUBLES = (
    Trouble(name="none"),
    Trouble(name="locked by another process", spoiled=locked),
    Trouble(name="read-only", place=read_only),
    Trouble(name="disk full: no file can grow", largest_file=64 * 1024),
    Trouble(name="nothing can be written anywhere", largest_file=0),
    Trouble(name="deleted in the middle", words=("delete",)),
    Trouble(name="of a newer version", spoiled=newer),
    Trouble(name="damaged", spoiled=damaged),
    Trouble(name="no engine of the sandbox", variables={"NUCLEATE_SANDBOX": "docker", "DOCKER_HOST": "unix:///none"}),
    Trouble(name="no answer of the model", variables=NO_MODEL),
)
