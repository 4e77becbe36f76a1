"""What an engine and the kernel under it can do for isolation, as the engine tells it."""

from __future__ import annotations

from dataclasses import dataclass

import docker

from nucleate_sandbox.docker.engine import connect, outages

BOUNDS = {"MemoryLimit": "memory", "SwapLimit": "swap", "PidsLimit": "processes", "CpuCfsQuota": "CPU time"}


@dataclass(frozen=True, kw_only=True)
class Facts:
    """`unbounded` names what the kernel cannot limit for a container; `cgroup` is the version of its control groups."""

    version: str
    cgroup: str
    seccomp: bool
    apparmor: bool
    unbounded: tuple[str, ...]
    runtimes: tuple[str, ...]


def engine_facts(*, client: docker.DockerClient | None = None) -> Facts:
    """Ask the engine; raise EngineUnavailable when there is none."""
    engine = client or connect()
    with outages("the engine cannot be asked"):
        info = engine.info()
    options = {option.partition(",")[0] for option in info.get("SecurityOptions") or ()}
    return Facts(
        version=str(info.get("ServerVersion", "unknown")),
        cgroup=str(info.get("CgroupVersion", "unknown")),
        seccomp="name=seccomp" in options,
        apparmor="name=apparmor" in options,
        unbounded=tuple(name for key, name in BOUNDS.items() if not info.get(key)),
        runtimes=tuple(sorted(info.get("Runtimes") or ())),
    )
