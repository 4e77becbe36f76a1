"""Labels that say whose a container is, so that what a dead process left can be told from what a living one uses."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Mapping
from functools import cache
from pathlib import Path

REPOSITORY = "nucleate-sandbox"
PRODUCT = "org.nucleate.product"
OWNER = "org.nucleate.owner"
BOOT = "org.nucleate.boot"
SPACE = "org.nucleate.pid-namespace"
MACHINE = "org.nucleate.machine"
PURPOSE = "org.nucleate.purpose"
START_TIME = 19  # field 22 of /proc/PID/stat, counted from the one after the name


def labels(purpose: str) -> dict[str, str]:
    """Return the labels of a container that this process starts."""
    pid = os.getpid()
    return {
        PRODUCT: REPOSITORY,
        OWNER: f"{pid} {_started(pid)}",
        BOOT: _boot(),
        SPACE: _namespace(),
        MACHINE: _machine(),
        PURPOSE: purpose,
    }


def orphaned(found: Mapping[str, str]) -> bool:
    """True when the owner is certainly gone: an earlier boot of this machine, or a process of ours that is no more.

    What bears no owner is not ours: anybody's container of our image inherits the image's label. An engine may serve
    several machines, and of the owners on another nothing is known here.
    """
    if OWNER not in found:
        return False
    if found.get(BOOT) != _boot():
        return found.get(MACHINE) == _machine()
    if found.get(SPACE) != _namespace():
        return False
    pid, _, started = found[OWNER].partition(" ")
    return not pid.isdecimal() or _started(int(pid)) != started


def _started(pid: int) -> str:
    """Return when a process started, in ticks since boot; empty when there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[START_TIME]


@cache
def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()


@cache
def _machine() -> str:
    """Return a name of this machine that outlasts a boot and tells nothing else."""
    try:
        number = Path("/etc/machine-id").read_text("ascii")
    except OSError:
        number = ""
    return hashlib.sha256(f"{number.strip()} {platform.node()}".encode()).hexdigest()[:16]


def _namespace() -> str:
    return str(Path("/proc/self/ns/pid").readlink())
