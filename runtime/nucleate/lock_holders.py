"""Who has a locked database: the processes that hold SQLite's lock, or the oldest transaction of a PostgreSQL."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

LOCKS = Path("/proc/locks")
MOST_LETTERS = 80
OLDEST_TRANSACTION = """
    SELECT pid, application_name, usename, host(client_addr) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    ORDER BY xact_start LIMIT 1
"""


def file_holder(database: Path) -> str:
    """Return who may write to a SQLite file now, as Linux's table of locks tells it; "" where nobody can tell.

    In WAL mode the lock is one of the index beside the file (https://www.sqlite.org/walformat.html#wal_locks). The
    table is read, not the lock asked for: to close a descriptor of the file would give up this process's own locks.
    """
    inodes = set()
    for path in (database, database.with_name(f"{database.name}-shm")):
        with suppress(OSError):
            inodes.add(path.stat().st_ino)
    with suppress(OSError, ValueError):
        held = sorted({pid for pid, inode in _writers(LOCKS.read_text()) if inode in inodes})
        return " and ".join(map(_process, held[:3]))
    return ""


def _writers(table: str) -> list[tuple[int, int]]:
    """Return process and inode of each lock that is held for writing; a line of one who waits has an arrow."""
    lines = [line.split() for line in table.splitlines() if "->" not in line]
    return [(int(words[4]), int(words[5].rpartition(":")[2])) for words in lines if words[3] == "WRITE"]


def _process(pid: int) -> str:
    if pid == os.getpid():
        return "this process itself"
    with suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ").strip()
        return f"process {pid} ({words[:MOST_LETTERS]})"
    return f"process {pid}" if pid > 0 else "a process of another container"


def session_holder(row: tuple[object, ...] | None) -> str:
    """Return the oldest transaction of `OLDEST_TRANSACTION` in words; "" where there is none."""
    if row is None:
        return ""
    pid, program, user, address = row
    return f"session {pid} ({program or 'a program without a name'}, user {user}, {address or 'on the same machine'})"
