"""Tells the host what this process can see of its own isolation, before any foreign code runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

STATUS_FIELDS = ("CapEff", "CapPrm", "CapBnd", "CapAmb", "CapInh", "NoNewPrivs", "Seccomp", "Uid", "Gid")


def report() -> dict[str, Any]:
    """Return kernel facts about this process as plain values."""
    return {
        "status": _status(),
        "writable": sorted(_writable_mounts()),
        "interfaces": sorted(item.name for item in Path("/sys/class/net").iterdir()),
        "memory_limit": _first(("memory.max", "memory/memory.limit_in_bytes")),
        "process_limit": _first(("pids.max", "pids/pids.max")),
        "dumpable": Path("/proc/self/status").stat().st_uid == os.getuid(),
        "pid": os.getpid(),
        "address_space": int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE"),
    }


def oom_kills() -> int:
    """Return how often the kernel ended a process of this container for memory."""
    for name in ("memory.events", "memory/memory.oom_control"):
        path = Path("/sys/fs/cgroup") / name
        if path.exists():
            words = path.read_text("ascii").split()
            return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else 0
    return 0


def _status() -> dict[str, str]:
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    pairs = (line.partition(":") for line in lines)
    return {name: value.strip() for name, _, value in pairs if name in STATUS_FIELDS}


def _writable_mounts() -> list[str]:
    """Return mounted folders where this user may create a file."""
    mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text("utf-8").splitlines()]
    places = [fields[4] for fields in mounts if "rw" in fields[5].split(",")]
    return [place for place in places if os.access(place, os.W_OK) and Path(place).is_dir()]


def _first(names: tuple[str, ...]) -> str:
    for name in names:
        path = Path("/sys/fs/cgroup") / name
        if path.exists():
            return path.read_text("ascii").strip()
    return "unknown"
