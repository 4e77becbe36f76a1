"""Starts one hardened container and waits for its server to report in."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import docker
from docker.errors import APIError, ImageNotFound
from docker.types import Ulimit

from nucleate_sandbox.docker.containers.shape import INODES, WORK, Shape
from nucleate_sandbox.docker.engine import failures, outages
from nucleate_sandbox.docker.images.image import missing
from nucleate_sandbox.docker.images.rootfs import USER_ID as GROUP_ID
from nucleate_sandbox.docker.images.tags import ENTRYPOINT, image_tag
from nucleate_sandbox.docker.labels import labels
from nucleate_sandbox.docker.link.link import START_SECONDS, ContainerLink, LinkUnreached, Meet, Transport
from nucleate_sandbox.docker.link.local_link import bound
from nucleate_sandbox.docker.link.remote_link import attached
from nucleate_sandbox.errors import SandboxError

REMOVAL_SECONDS = 20
IN_PROGRESS = 409  # the engine removes it already, since its server ended
PERIOD = 100_000
# The engine mounts these usable for everybody, and what is in them is limited for the machine alone: covered.
COVERED = ("/dev/mqueue", "/dev/pts")
NO_SUCH_FOLDER = "bind source path does not exist"
# Of the server alone, which clears it. An arena of malloc's for each thread would reserve 64 MiB of a program's memory.
ENVIRONMENT = {"MALLOC_ARENA_MAX": "1"}
HELLO_BYTES = 65_536
MEETINGS: dict[Transport, Callable[[], Meet]] = {"socket": bound, "attached": attached}


@dataclass(frozen=True, kw_only=True)
class Way:
    """How containers are started: the engine's runtime for them, and how their server meets this process."""

    runtime: str | None = None
    transport: Transport = "socket"


def launch(client: docker.DockerClient, shape: Shape, user: int, way: Way) -> tuple[str, socket.socket, dict[str, Any]]:
    """Return the container's id, the control connection and the server's report; nothing is left on failure."""
    with MEETINGS[way.transport]() as meeting:
        options = _options(client, shape, meeting, way.runtime) | {"user": f"{user}:{GROUP_ID}"}
        with outages("a sandbox container cannot be created"), _within_sight():
            identity = _create(client, shape, options)
        try:
            meeting.prepare(client, identity)
            with outages("a sandbox container cannot be started"), _within_sight():
                client.api.start(identity)
            control = meeting.accept()
            return identity, control, _hello(control)
        except BaseException:
            remove(client, identity)
            raise


@contextmanager
def _within_sight() -> Iterator[None]:
    """Tell an engine that lacks the folder of the meeting place: it looks at the making and again at the start."""
    try:
        yield
    except APIError as error:
        if NO_SUCH_FOLDER not in str(error.explanation):
            raise
        raise LinkUnreached("the engine does not see this machine's files; use transport='attached'") from error


def _create(client: docker.DockerClient, shape: Shape, options: dict[str, Any]) -> str:
    try:
        return str(client.api.create_container(**options)["Id"])
    except ImageNotFound as error:
        raise missing(shape.packages) from error
    except APIError as error:
        runtime = options["host_config"].get("Runtime")
        if runtime is None or "runtime" not in str(error.explanation).lower():
            raise
        known = ", ".join(sorted(client.info()["Runtimes"]))
        raise SandboxError(
            f"the engine knows no runtime {runtime!r}, only {known}; register it with the engine, or name none"
        ) from error


def remove(client: docker.DockerClient, identity: str) -> None:
    """Remove a container in any state; that it is gone already is as good, and so is that the engine is."""
    try:
        try:
            client.api.remove_container(identity, force=True, v=True)
        except APIError as error:
            if error.status_code == IN_PROGRESS:
                client.api.wait(identity, condition="removed", timeout=REMOVAL_SECONDS)
    except failures():
        return


def _options(client: docker.DockerClient, shape: Shape, meeting: ContainerLink, runtime: str | None) -> dict[str, Any]:
    return {
        "image": image_tag(shape.packages),
        "command": [shape.purpose, *meeting.words],
        "labels": labels(shape.purpose),
        "environment": ENVIRONMENT,
        "network_disabled": True,
        "hostname": "sandbox",
        **meeting.options,
        **_hashing(shape),
        "host_config": client.api.create_host_config(
            **_isolation(shape), **_bounds(shape), **meeting.host_options, auto_remove=True, runtime=runtime
        ),
    }


def _hashing(shape: Shape) -> dict[str, Any]:
    """Fix the hash seed: the interpreter reads it from its environment, to which `-I` makes it blind (so `-sP`)."""
    if shape.hash_seed is None:
        return {}
    entrypoint = ["-sP" if word == "-I" else word for word in ENTRYPOINT]
    return {"entrypoint": entrypoint, "environment": {**ENVIRONMENT, "PYTHONHASHSEED": str(shape.hash_seed)}}


def _isolation(shape: Shape) -> dict[str, Any]:
    options = f"size={shape.disk_bytes},nr_inodes={INODES},mode=1777,noexec,nosuid,nodev"
    return {
        "network_mode": "none",
        "ipc_mode": "none",  # no shared memory and no queue in which a program could leave something for the next
        "read_only": True,  # what is written goes to the one mount below, which is counted and emptied
        "tmpfs": {WORK: options, **dict.fromkeys(COVERED, "size=4096,mode=0555,ro,noexec,nosuid,nodev")},
        "cap_drop": ["ALL"],  # a hole in the kernel is reached far more often with a capability than without
        # A file that sets its user's id gives nothing; calls of the kernel that no tool needs do not exist.
        "security_opt": ["no-new-privileges:true", f"seccomp={_seccomp()}"],
    }


def _bounds(shape: Shape) -> dict[str, Any]:
    return {
        "mem_limit": shape.memory_bytes,
        "memswap_limit": shape.memory_bytes,  # the same: what may be swapped out is not bounded
        "pids_limit": shape.processes,
        "cpu_period": PERIOD,
        "cpu_quota": PERIOD,
        # A core file would hold the memory of other calls, and fill the disk.
        "ulimits": [Ulimit(name="core", soft=0, hard=0), Ulimit(name="nofile", soft=1024, hard=1024)],
    }


def _seccomp() -> str:
    profile = json.loads((files("nucleate_sandbox") / "image" / "seccomp.json").read_text("utf-8"))
    return json.dumps(profile)


def _hello(control: socket.socket) -> dict[str, Any]:
    control.settimeout(START_SECONDS)
    with outages("the sandbox server cannot be heard"):
        data = control.recv(HELLO_BYTES)
    hello: dict[str, Any] = json.loads(data or b"{}")
    if hello.get("do") != "hello":
        reason = hello.get("reason", "it ended")
        raise SandboxError(f"the sandbox server failed at its start: {reason}; run `nucleate sandbox build --force`")
    return hello
