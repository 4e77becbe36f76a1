"""The look from the host: what a program left in a container, and outside of one, read from the kernel's own files."""

from __future__ import annotations

import os
import re
import select
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import docker

from nucleate_sandbox.docker.containers.shape import USER_IDS
from nucleate_sandbox.docker.labels import OWNER, labels

CONTAINER = re.compile(r"[-/]([0-9a-f]{64})")  # whatever parent group the engine was given
SLACK_BYTES = 8 << 20
LOOKS, LOOK_MILLISECONDS = 1000, 10
SETTINGS = ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/sys/kernel/uevent_helper")
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
    """Process 1 of one container of ours, as the host numbers it."""

    pid: int
    container: str

    @property
    def processes(self) -> int:
        """How many processes the container has now, by the kernel's own list; 0 when it has just ended."""
        with suppress(FileNotFoundError, ProcessLookupError):
            lists = (folder / "cgroup.procs" for folder in _groups(self.pid))
            return next((len(item.read_text("ascii").split()) for item in lists if item.exists()), 0)
        return 0


class Host:
    """Remembers how the host and each kind of container look before anything hostile has run."""

    def __init__(self) -> None:
        self._settings = _settings()
        for item in servers():
            _ended(item.pid, 20 * LOOK_MILLISECONDS)  # none does: by then the child for the next program is there
        self._rest = {_purpose(item): (_rest(item), _memory(item)) for item in servers()}

    def changes(self) -> list[str]:
        """Return every difference from that look, once each container of ours is at rest or gone."""
        seen = _inhabited()
        found = [f"container {item.container[:12]}: {what}" for item in _served(seen) if (what := self._unrest(item))]
        found += [f"{name} was {old!r} and is {new!r}" for (name, old), (_, new)
                  in zip(self._settings.items(), _settings().items(), strict=True) if old != new]  # fmt: skip
        strays = [pid for pid, container in seen.items() if not container and not _ended(pid, LOOK_MILLISECONDS)]
        return found + [f"a process outside of any container: {pid}" for pid in strays]

    def _unrest(self, server: Server) -> str:
        """Look until the container is at rest or gone; what is still wrong with it in the end is the answer."""
        what = self._difference(server)
        for _ in range(LOOKS):
            if not what or _ended(server.pid, LOOK_MILLISECONDS):
                return ""
            what = self._difference(server)
        return what

    def _difference(self, server: Server) -> str:
        try:
            rest, memory, (calm, usual) = _rest(server), _memory(server), self._rest[_purpose(server)]
        except (FileNotFoundError, ProcessLookupError, IndexError):
            return "it is on its way out"
        if rest != calm:
            return f"{rest} and not {calm}"
        return f"{memory - usual} bytes of memory more" if memory - usual > SLACK_BYTES else ""


def servers() -> list[Server]:
    """Return the containers of this process, from the host's table of processes."""
    return _served(_inhabited())


def _served(seen: Mapping[int, str]) -> list[Server]:
    """Return the first process of each container of ours among those seen."""
    return [
        Server(pid=pid, container=container)
        for pid, container in seen.items()
        if container and _is_first(pid) and _ours(container)
    ]


def _is_first(pid: int) -> bool:
    """Tell whether a process is process 1 of its container."""
    with suppress(FileNotFoundError, ProcessLookupError):
        status = Path(f"/proc/{pid}/status").read_text("utf-8", "replace")
        return "\nNSpid:" in status and status.partition("\nNSpid:")[2].splitlines()[0].split()[-1] == "1"
    return False


def _inhabited() -> dict[int, str]:
    """Return every process of the sandbox's users, with the container that it is in; none for one that got out.

    A container's server is one of theirs, and others are on the same machine: engines, containers and people.
    """
    found = {}
    for pid in (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()):
        with suppress(FileNotFoundError, ProcessLookupError):
            if Path(f"/proc/{pid}").stat().st_uid in USER_IDS:
                match = CONTAINER.search(Path(f"/proc/{pid}/cgroup").read_text("ascii"))
                found[pid] = match[1] if match else ""
    return found


def _groups(pid: int) -> list[Path]:
    """Return the folders of a process's control groups, of the first kind or the second."""
    lines = Path(f"/proc/{pid}/cgroup").read_text("ascii").splitlines()
    return [Path(f"/sys/fs/cgroup/{controllers}{path}") for _, controllers, path in (x.split(":", 2) for x in lines)]


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
    for folder in _groups(server.pid):
        if (folder / "memory.stat").exists():
            stat = dict(item.split() for item in (folder / "memory.stat").read_text("ascii").splitlines())
            kernel = folder / "memory.kmem.usage_in_bytes"
            kept = int(kernel.read_text("ascii")) if kernel.exists() else int(stat.get("kernel", 0))
            return kept + int(stat.get("rss", stat.get("anon", 0))) + int(stat["shmem"])
    return 0


def _settings() -> dict[str, str]:
    """Return what a program that got out would have changed, and the files that it would have left."""
    found = {name: Path(name).read_text("utf-8") for name in SETTINGS if os.access(name, os.R_OK)}
    return {**found, "users": str(_users()), "files": str(sorted(_files())), "queues": str(_queues())}


def _users() -> list[str]:
    """Return the users of the machine that are root or the sandbox's own; those of people come and go."""
    lines = Path("/etc/passwd").read_text("utf-8", "replace").splitlines()
    numbered = [(line, line.split(":")[2]) for line in lines if line.count(":") >= 2]
    return [line for line, number in numbered if number == "0" or (number.isdecimal() and int(number) in USER_IDS)]


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
