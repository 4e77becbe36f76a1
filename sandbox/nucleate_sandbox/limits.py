"""Limits on one run or call: each has a default, a documented maximum and an outcome of its own."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

MIB = 1024 * 1024
FLOOD_BYTES = 64 * MIB  # of output end a program


class Limit(StrEnum):
    """The limit that ended a program."""

    WALL = "wall time"
    CPU = "cpu time"
    MEMORY = "memory"
    PROCESSES = "processes"
    FILES = "open files"
    DISK = "disk"
    OUTPUT = "output"
    CALLS = "bridge calls"
    RESULT = "result size"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds for one run or call; seconds and bytes. A value outside (0, MAXIMUM] is a ValueError.

    `hash_seed` fixes the order in which sets of texts iterate (PYTHONHASHSEED); None leaves it to chance. A program is
    served with the seed with which it was judged, so that it cannot tell the one from the other. The embedded
    interpreter's order is always the same.
    """

    wall_seconds: float = 10.0
    cpu_seconds: float = 10.0
    memory_bytes: int = 256 * MIB
    processes: int = 32
    open_files: int = 128
    disk_bytes: int = 64 * MIB
    output_bytes: int = 64 * 1024
    bridge_calls: int = 1000
    bridge_seconds: float = 30.0
    result_bytes: int = 4 * MIB
    hash_seed: int | None = 1

    def __post_init__(self) -> None:
        for item in fields(self):
            value, maximum = getattr(self, item.name), MAXIMUM[item.name]
            if value is not None and not 0 < value <= maximum:
                raise ValueError(f"{item.name}={value!r} is outside (0, {maximum}]; choose a value in that range")


MAXIMUM: dict[str, float] = {
    "wall_seconds": 600.0,
    "cpu_seconds": 600.0,
    "memory_bytes": 2048 * MIB,
    "processes": 256,
    "open_files": 1024,
    "disk_bytes": 512 * MIB,
    "output_bytes": 8 * MIB,
    "bridge_calls": 100_000,
    "bridge_seconds": 600.0,
    "result_bytes": 8 * MIB,
    "hash_seed": 2**32 - 1,
}

DEFAULT = Limits()
