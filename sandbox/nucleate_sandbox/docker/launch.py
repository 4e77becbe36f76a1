"""Starts one hardened container and waits for its server to report in."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, DockerException, ImageNotFound
from docker.types import LogConfig, Ulimit
from requests.exceptions import RequestException

from nucleate_sandbox.docker.engine import outages
from nucleate_sandbox.docker.folders import owned_folder
from nucleate_sandbox.docker.image import missing
from nucleate_sandbox.docker.labels import labels
from nucleate_sandbox.docker.rootfs import USER_ID as GROUP_ID
from nucleate_sandbox.docker.shape import INODES, WORK, Shape
from nucleate_sandbox.docker.tags import ENTRYPOINT, image_tag
from nucleate_sandbox.errors import SandboxError

START_SECONDS = 60.0
REMOVAL_SECONDS = 20
IN_PROGRESS = 409  # the engine removes it already, since its server ended
LOOK_SECONDS = 0.5
PERIOD = 100_000
# The engine mounts these usable for everybody, and what is in them is limited for the machine alone: covered.
COVERED = ("/dev/mqueue", "/dev/pts")
INSIDE = "/run/nucleate"
# Of the server alone, which clears it. An arena of malloc's for each thread would reserve 64 MiB of a program's memory.
ENVIRONMENT = {"MALLOC_ARENA_MAX": "1"}
HELLO_BYTES = 65_536


def launch(
    client: docker.DockerClient, shape: Shape, user: int, runtime: str | None
) -> tuple[str, socket.socket, dict[str, Any]]:
    """Return the container's id, the control connection and the server's report; nothing is left on failure."""
    with _meeting_place() as (folder, listener):
        with outages("a sandbox container cannot be created"):
            options = _options(client, shape, folder, runtime) | {"user": f"{user}:{GROUP_ID}"}
            identity = _create(client, shape, options)
        try:
            with outages("a sandbox container cannot be started"):
                client.api.start(identity)
            control = _accept(client, identity, listener)
            return identity, control, _hello(control)
        except BaseException:
            remove(client, identity)
            raise


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
    except (DockerException, RequestException, OSError):
        return


def _options(client: docker.DockerClient, shape: Shape, folder: Path, runtime: str | None) -> dict[str, Any]:
    return {
        "image": image_tag(shape.packages),
        "command": [shape.purpose],
        "labels": labels(shape.purpose),
        "environment": ENVIRONMENT,
        "network_disabled": True,
        "hostname": "sandbox",
        **_hashing(shape),
        "host_config": client.api.create_host_config(
            **_isolation(shape), **_bounds(shape), **_plumbing(folder, runtime)
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
        "ipc_mode": "none",
        "read_only": True,
        "tmpfs": {WORK: options, **dict.fromkeys(COVERED, "size=4096,mode=0555,ro,noexec,nosuid,nodev")},
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true", f"seccomp={_seccomp()}"],
    }


def _bounds(shape: Shape) -> dict[str, Any]:
    return {
        "mem_limit": shape.memory_bytes,
        "memswap_limit": shape.memory_bytes,
        "pids_limit": shape.processes,
        "cpu_period": PERIOD,
        "cpu_quota": PERIOD,
        "ulimits": [Ulimit(name="core", soft=0, hard=0), Ulimit(name="nofile", soft=1024, hard=1024)],
    }


def _plumbing(folder: Path, runtime: str | None) -> dict[str, Any]:
    return {
        "binds": {str(folder): {"bind": INSIDE, "mode": "ro"}},
        "auto_remove": True,
        "runtime": runtime,
        "log_config": LogConfig(type="json-file", config={"max-size": "1m", "max-file": "1"}),
    }


def _seccomp() -> str:
    profile = json.loads((files("nucleate_sandbox") / "image" / "seccomp.json").read_text("utf-8"))
    return json.dumps(profile)


@contextmanager
def _meeting_place() -> Iterator[tuple[Path, socket.socket]]:
    """Yield a private folder with a listening socket; both are gone as soon as the server has connected."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        with owned_folder("control") as folder:
            folder.chmod(0o755)
            listener.bind(str(folder / "control"))
            (folder / "control").chmod(0o666)
            listener.listen(1)
            yield folder, listener
    except OSError as error:
        raise SandboxError(f"no socket can be made ({error}); set TMPDIR to a short path with room") from error
    finally:
        listener.close()


def _accept(client: docker.DockerClient, identity: str, listener: socket.socket) -> socket.socket:
    """Wait for the server; a container that ended instead is an outage with its last words."""
    give_up = time.monotonic() + START_SECONDS
    listener.settimeout(LOOK_SECONDS)
    while time.monotonic() < give_up:
        try:
            return listener.accept()[0]
        except TimeoutError:
            _still_there(client, identity)
    raise SandboxError(f"the sandbox server did not report in {START_SECONDS:g} s; is the machine overloaded?")


def _still_there(client: docker.DockerClient, identity: str) -> None:
    with outages("the sandbox server ended at its start; run `nucleate sandbox build --force`"):
        state = client.api.inspect_container(identity)["State"]
        if not state["Running"]:
            raise OSError(f"exit status {state['ExitCode']} {state['Error']}")


def _hello(control: socket.socket) -> dict[str, Any]:
    control.settimeout(START_SECONDS)
    with outages("the sandbox server cannot be heard"):
        data = control.recv(HELLO_BYTES)
    hello: dict[str, Any] = json.loads(data or b"{}")
    if hello.get("do") != "hello":
        reason = hello.get("reason", "it ended")
        raise SandboxError(f"the sandbox server failed at its start: {reason}; run `nucleate sandbox build --force`")
    return hello
