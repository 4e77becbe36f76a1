"""Tells what this process can see of its own isolation, and what the kernel counts against the container."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

STATUS_FIELDS = ("CapEff", "CapPrm", "CapBnd", "CapAmb", "CapInh", "NoNewPrivs", "Seccomp", "Uid", "Gid")
GROUPS = "/sys/fs/cgroup"
# Each fact stands in one file of the unified hierarchy, or in one of the older kind.
MEMORY_LIMIT = ("memory.max", "memory/memory.limit_in_bytes")
PROCESS_LIMIT = ("pids.max", "pids/pids.max")
MEMORY_EVENTS = ("memory.events", "memory/memory.oom_control")
PROCESS_EVENTS = ("pids.events", "pids/pids.events")
PROCESSOR_USE = ("cpu.stat", "cpuacct/cpuacct.usage")

_before: dict[str, int] = {}


def report() -> dict[str, Any]:
    """Return kernel facts about this process as plain values."""
    return {
        "status": _status(),
        "writable": sorted(_writable_mounts()),
        "interfaces": sorted(item.name for item in Path("/sys/class/net").iterdir()),
        "memory_limit": _read(MEMORY_LIMIT),
        "process_limit": _read(PROCESS_LIMIT),
        "dumpable": Path("/proc/self/status").stat().st_uid == os.getuid(),
        "pid": os.getpid(),
        "address_space": int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE"),
    }


def mark() -> None:
    """Remember the counters: what follows is counted from here, also in a child forked later."""
    _before.update(oom=_word(MEMORY_EVENTS, "oom_kill"), forks=_word(PROCESS_EVENTS, "max"))


def oom_killed() -> bool:
    """Tell whether the kernel has ended a process of this container for memory."""
    return _word(MEMORY_EVENTS, "oom_kill") > _before["oom"]


def fork_refused() -> bool:
    """Tell whether the kernel has refused this container a process or a thread."""
    return _word(PROCESS_EVENTS, "max") > _before["forks"]


def cpu_seconds() -> float:
    """Return the processor time that the whole container has ever used; 0 where the kernel does not tell."""
    words = _read(PROCESSOR_USE).split()
    return int(words[1]) / 1e6 if words[0] == "usage_usec" else int(words[0]) / 1e9 if words[0].isdigit() else 0.0


def _word(names: tuple[str, ...], name: str) -> int:
    words = _read(names).split()
    return int(words[words.index(name) + 1]) if name in words else 0


def _status() -> dict[str, str]:
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    pairs = (line.partition(":") for line in lines)
    return {name: value.strip() for name, _, value in pairs if name in STATUS_FIELDS}


def _writable_mounts() -> list[str]:
    """Return mounted folders where this user may create a file."""
    mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines()]
    places = [fields[4] for fields in mounts if "rw" in fields[5].split(",")]
    return [place for place in places if os.access(place, os.W_OK) and Path(place).is_dir()]


def _read(names: tuple[str, ...]) -> str:
    path = _place(names)
    if path is None:
        return "unknown"
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 4096).decode("ascii").strip()
    finally:
        os.close(file)


@cache
def _place(names: tuple[str, ...]) -> str | None:
    paths = (f"{GROUPS}/{name}" for name in names)
    return next((path for path in paths if Path(path).exists()), None)
