"""A private PostgreSQL for tests: a cluster in a folder of its own, reached by its socket alone, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine

from nucleate.database import all_tables, open_database

MEMORY, ROOM = Path("/dev/shm"), 4 << 30
INSTALLED = Path("/usr/lib/postgresql")
# Another time zone than UTC shows who relies on it.
SETTINGS = {"fsync": "off", "timezone": "America/New_York", "max_connections": "60"}


def binaries() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs; None where there is none."""
    found = shutil.which("initdb")
    places = sorted(INSTALLED.glob("*/bin"), key=lambda path: int(path.parts[-2]))
    return Path(found).resolve().parent if found else places[-1] if places else None


@contextmanager
def cluster(programs: Path) -> Iterator[Path]:
    """Start a cluster and yield the folder of its socket."""
    folder = Path(tempfile.mkdtemp(prefix="nucleate-pg-", dir=_roomy()))
    try:
        if os.geteuid() == 0:  # it refuses to run as root
            shutil.chown(folder, "postgres", "postgres")
        data = folder / "data"
        _run([programs / "initdb", "-D", data, "-U", "nucleate", "-A", "trust", "--no-sync", "-E", "UTF8"])
        start(programs, folder)
        try:
            yield folder
        finally:
            stop(programs, folder)
    finally:
        shutil.rmtree(folder)


def start(programs: Path, folder: Path) -> None:
    """Start the server of a cluster, which is known by the folder of its socket."""
    said = {**SETTINGS, "unix_socket_directories": str(folder), "listen_addresses": "''"}
    options = " ".join(f"-c {name}={value}" for name, value in said.items())
    _run([programs / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "log", "-o", options, "start"])


def stop(programs: Path, folder: Path) -> None:
    """Stop a server as a power cut does; what was committed it finds again."""
    _run([programs / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop"])


def new_database(programs: Path, socket: Path, *, like: str = "template1", name: str = "") -> str:
    """Create a database, an empty one or a copy of another, and return its address as a user would write it."""
    name = name or f"t{uuid.uuid4().hex}"
    _run([programs / "createdb", "-h", socket, "-U", "nucleate", "-T", like, name])
    return f"postgresql://nucleate@/{name}?host={socket}"


def copied_database(programs: Path, socket: Path) -> str:
    """Create a database that holds our tables already: a copy of one that is made once for the cluster."""
    made = socket / "made"
    if not made.exists():
        open_database(new_database(programs, socket, name="made")).dispose()
        made.touch()
    return new_database(programs, socket, like="made")


@contextmanager
def shared_database(programs: Path, socket: Path) -> Iterator[Engine]:
    """Yield connections to one database of the cluster that holds our tables, emptied."""
    made = socket / "shared"
    if not made.exists():
        open_database(new_database(programs, socket, name="shared")).dispose()
        made.touch()
    engine = open_database(f"postgresql://nucleate@/shared?host={socket}")
    empty(engine)
    yield engine
    engine.dispose()


def empty(engine: Engine) -> None:
    """Empty every table of ours."""
    names = ", ".join(table.name for table in all_tables().sorted_tables)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"TRUNCATE {names} RESTART IDENTITY CASCADE")


def _roomy() -> Path | None:
    """Return a folder in memory where there is room for hundreds of small databases: a disk takes a second for each."""
    return MEMORY if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM else None


def _run(command: Sequence[str | Path]) -> None:
    user = "postgres" if os.geteuid() == 0 else None
    words = [str(word) for word in command]
    subprocess.run(words, check=True, user=user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
