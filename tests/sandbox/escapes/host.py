"""The look from the host: what a program left in a container, and outside of one, read from the kernel's own files."""

from __future__ import annotations

import os
import re
import select
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import docker

from nucleate_sandbox.docker.containers.shape import USER_IDS
from nucleate_sandbox.docker.labels import OWNER, labels

CONTAINER = re.compile(r"docker[-/]([0-9a-f]{64})")
SLACK_BYTES = 8 << 20
LOOKS, LOOK_MILLISECONDS = 1000, 10
SETTINGS = ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/sys/kernel/uevent_helper", "/etc/passwd")
SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue")


@dataclass(frozen=True, kw_only=True)
class Rest:
    """A container at rest: its processes, its server's descriptors, its disk's bytes and inodes."""

    processes: int
    descriptors: int
    disk_bytes: int
    inodes: int


@dataclass(frozen=True, kw_only=True)
class Server:
    """Process 1 of one container of ours, as the host numbers it, and how many processes the container has."""

    pid: int
    container: str
    processes: int


class Host:
    """Remembers how the host and each kind of container look before anything hostile has run."""

    def __init__(self) -> None:
        self._settings = _settings()
        for item in servers():
            _ended(item.pid, 20 * LOOK_MILLISECONDS)  # none does: by then the child for the next program is there
        self._rest = {_purpose(item): (_rest(item), _memory(item)) for item in servers()}

    def changes(self) -> list[str]:
        """Return every difference from that look, once each container of ours is at rest or gone."""
        found = [f"container {item.container[:12]}: {what}" for item in servers() if (what := self._unrest(item))]
        found += [f"{name} was {old!r} and is {new!r}" for (name, old), (_, new)
                  in zip(self._settings.items(), _settings().items(), strict=True) if old != new]  # fmt: skip
        return found + [f"a process outside of any container: {pid}" for pid in _strays()]

    def _unrest(self, server: Server) -> str:
        """Look until the container is at rest or gone; what is still wrong with it in the end is the answer."""
        what = self._difference(server)
        for _ in range(LOOKS):
            if not what or _ended(server.pid, LOOK_MILLISECONDS):
                return ""
            what = self._difference(server)
        return what

    def _difference(self, server: Server) -> str:
        now = next((item for item in servers() if item.container == server.container), None)
        if now is None:
            return ""
        try:
            rest, memory, (calm, usual) = _rest(now), _memory(now), self._rest[_purpose(now)]
        except (FileNotFoundError, ProcessLookupError, IndexError):
            return "it is on its way out"
        if rest != calm:
            return f"{rest} and not {calm}"
        return f"{memory - usual} bytes of memory more" if memory - usual > SLACK_BYTES else ""


def servers() -> list[Server]:
    """Return the containers of this process, from the host's table of processes."""
    members: dict[str, list[int]] = {}
    for pid, container in _contained().items():
        members.setdefault(container, []).append(pid)
    found = ((_first(pids), name, len(pids)) for name, pids in members.items() if _ours(name))
    return [Server(pid=pid, container=name, processes=count) for pid, name, count in found if pid]


def _first(pids: list[int]) -> int:
    """Return which of them is process 1 of their container, or 0 when it has just ended."""
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            status = Path(f"/proc/{pid}/status").read_text("utf-8", "replace")
            if "\nNSpid:" in status and status.partition("\nNSpid:")[2].splitlines()[0].split()[-1] == "1":
                return pid
    return 0


def _contained() -> dict[int, str]:
    """Return every process that is in a container, with the container's id."""
    found = {}
    for pid in _pids():
        try:
            match = CONTAINER.search(Path(f"/proc/{pid}/cgroup").read_text("ascii"))
        except (FileNotFoundError, ProcessLookupError):
            continue
        if match:
            found[pid] = match[1]
    return found


def _strays() -> list[int]:
    """Return the processes of the sandbox's users that are in no container, and that go on."""
    found = []
    for pid in _pids():
        with suppress(FileNotFoundError, ProcessLookupError):
            ours = Path(f"/proc/{pid}").stat().st_uid in USER_IDS
            if ours and not CONTAINER.search(Path(f"/proc/{pid}/cgroup").read_text("ascii")):
                found.append(pid)
    return [pid for pid in found if not _ended(pid, LOOK_MILLISECONDS)]


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


@cache
def _ours(container: str) -> bool:
    """Ask the engine once for each container whose it is."""
    client = docker.from_env()
    try:
        found = client.api.inspect_container(container)["Config"]["Labels"]
    except docker.errors.NotFound:
        return False
    finally:
        client.close()
    return bool(found.get(OWNER) == labels("call")[OWNER])


def _purpose(server: Server) -> str:
    return Path(f"/proc/{server.pid}/cmdline").read_bytes().split(b"\0")[-2].decode("ascii")


def _rest(server: Server) -> Rest:
    """Read what only root may see of it; another user sees the processes alone."""
    if os.geteuid() != 0:
        return Rest(processes=server.processes, descriptors=0, disk_bytes=0, inodes=0)
    disk = os.statvfs(f"/proc/{server.pid}/root/tmp")
    return Rest(
        processes=server.processes,
        descriptors=len(list(Path(f"/proc/{server.pid}/fd").iterdir())),
        disk_bytes=(disk.f_blocks - disk.f_bfree) * disk.f_frsize,
        inodes=disk.f_files - disk.f_ffree,
    )


def _memory(server: Server) -> int:
    """Return the container's bytes that cannot be given up: those of processes, tmpfs and kernel."""
    for line in Path(f"/proc/{server.pid}/cgroup").read_text("ascii").splitlines():
        _, controllers, path = line.split(":", 2)
        folder = Path(f"/sys/fs/cgroup/{controllers}{path}")
        if controllers in ("memory", "") and (folder / "memory.stat").exists():
            stat = dict(item.split() for item in (folder / "memory.stat").read_text("ascii").splitlines())
            kernel = folder / "memory.kmem.usage_in_bytes"
            kept = int(kernel.read_text("ascii")) if kernel.exists() else int(stat.get("kernel", 0))
            return kept + int(stat.get("rss", stat.get("anon", 0))) + int(stat["shmem"])
    return 0


def _settings() -> dict[str, str]:
    """Return what a program that got out would have changed, and the files that it would have left."""
    found = {name: Path(name).read_text("utf-8") for name in SETTINGS if os.access(name, os.R_OK)}
    return {**found, "files": str(sorted(_files())), "queues": str(_queues())}


def _files() -> list[str]:
    """Return what the sandbox's users have in the folders where everybody may write."""
    found = []
    for entry in (entry for folder in SHARED_FOLDERS if Path(folder).is_dir() for entry in Path(folder).iterdir()):
        with suppress(FileNotFoundError):
            found += [str(entry)] if entry.lstat().st_uid in USER_IDS else []
    return found


def _queues() -> list[str]:
    """Return the System V objects of the sandbox's users."""
    tables = [Path(f"/proc/sysvipc/{kind}") for kind in ("shm", "sem", "msg")]
    lines = [line for table in tables if table.exists() for line in table.read_text("ascii").splitlines()]
    return [line for line in lines if any(word.isdecimal() and int(word) in USER_IDS for word in line.split()[7:10])]


def _ended(pid: int, milliseconds: int) -> bool:
    """Wait for the end of a process, so long."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(milliseconds))
    finally:
        os.close(handle)
