"""Who owns a job: a process, told apart from every other that ever ran here; and whether it is still there."""

from __future__ import annotations

import os
from pathlib import Path


def process_identity(pid: int | None = None) -> str:
    """Return place, process id and start time: a process id that is used again is not the same owner."""
    pid = os.getpid() if pid is None else pid
    return f"{_place()}:{pid}:{_started(pid)}"


def is_gone(owner: str) -> bool | None:
    """Return whether a process of this place has ended; None for one of another place, which cannot be seen."""
    place, _, rest = owner.rpartition(":")[0].rpartition(":")
    if place != _place() or not rest.isdecimal():
        return None
    return process_identity(int(rest)) != owner


def _place() -> str:
    """Return the boot and the process-id namespace: containers of one machine number their processes apart."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return "unknown"


def _started(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return "gone"
    fields = stat.rpartition(")")[2].split()
    return "gone" if fields[0] in "ZX" else fields[19]  # a zombie has ended, though nobody has asked after it yet
