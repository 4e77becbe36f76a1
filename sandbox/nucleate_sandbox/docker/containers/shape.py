"""What a container is asked to be, and the check that it is: an option that the engine ignored is found here."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from itertools import count
from typing import Any

from nucleate_sandbox.docker.images.rootfs import USER_ID as GROUP_ID
from nucleate_sandbox.limits import MIB, Limits
from nucleate_sandbox.packages import NO_PACKAGES, Lock

PAGE = 64 * 1024  # the kernel rounds limits to pages, which are at most this long
SERVER_MEMORY = 64 * MIB
SERVER_PROCESSES = 2
INODES = 4096
WORK = "/tmp"  # noqa: S108 - the container's, not the host's
NO_CAPABILITIES = "0" * 16
# Each container has a user of its own, since the kernel counts signals, pipes, watches and keys by user. The numbers
# are those that hosts keep for users without a name, and fit into the user namespace of an engine without root.
USER_IDS = range(61184, 65520)
_numbers = count(secrets.randbelow(len(USER_IDS)))


def next_user() -> int:
    """Return a user that no other container of this process has now."""
    return USER_IDS[next(_numbers) % len(USER_IDS)]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """One kind of container: what it serves (`call` or `test`), its hard bounds, and the packages in its image."""

    purpose: str
    memory_bytes: int
    processes: int
    disk_bytes: int
    packages: Lock = NO_PACKAGES
    hash_seed: int | None = None

    @classmethod
    def of(cls, purpose: str, limits: Limits) -> Shape:
        """Return the shape that holds a program with these limits beside the server."""
        return cls(
            purpose=purpose,
            memory_bytes=_pages(limits.memory_bytes + limits.disk_bytes + SERVER_MEMORY),
            processes=limits.processes + SERVER_PROCESSES,
            disk_bytes=_pages(limits.disk_bytes),
            hash_seed=limits.hash_seed,
        )


def _pages(size: int) -> int:
    return -(-size // PAGE) * PAGE


def faults(hello: dict[str, Any], shape: Shape, user: int) -> list[str]:
    """Return every way in which the isolation that the server reports is weaker than what was asked for."""
    status = dict(hello.get("status", {}))
    expected = dict.fromkeys(("CapEff", "CapPrm", "CapBnd", "CapAmb", "CapInh"), NO_CAPABILITIES)
    expected |= {"NoNewPrivs": "1", "Seccomp": "2", "Uid": _ids(user), "Gid": _ids(GROUP_ID)}
    found = [f"{name} is {status.get(name)!r}, not {value!r}" for name, value in expected.items()
             if " ".join(str(status.get(name)).split()) != value]  # fmt: skip
    facts = {
        "writable": [WORK],
        "interfaces": ["lo"],
        "dumpable": False,
        "pid": 1,
        "process_limit": str(shape.processes),
        "memory_limit": str(shape.memory_bytes),
    }
    return found + [f"{name} is {hello.get(name)!r}, not {value!r}" for name, value in facts.items()
                    if hello.get(name) != value]  # fmt: skip


def _ids(number: int) -> str:
    return " ".join([str(number)] * 4)
