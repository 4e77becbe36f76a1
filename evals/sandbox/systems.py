"""The ways to run untrusted code that are compared: each opens, answers a call, and closes."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.resources import files
from typing import IO, Any, Protocol

import docker

from evals.sandbox.peers.peer import Peer
from nucleate_sandbox import DockerSandbox, Module, MontySandbox, Sandbox
from nucleate_sandbox.docker.images.rootfs import PYTHON
from nucleate_sandbox.docker.images.tags import image_tag
from nucleate_sandbox.docker.labels import OWNER, PRODUCT

DOUBLE = "def double(n: int) -> int:\n    return 2 * n\n"
PRINTED = f"{DOUBLE}\nprint(double(21))\n"
MODULE = Module(name="double", source=DOUBLE)
ANSWER = 42
USER = "61234:61234"
MEMORY = "384m"


class System(Protocol):
    """One way to run code: `open` makes it ready, `call` gets one answer and checks it, `many` tells the wrong ones."""

    name: str

    def open(self) -> None: ...
    def call(self) -> None: ...
    def many(self, count: int, workers: int) -> int: ...
    def containers(self) -> tuple[str, ...]: ...
    def close(self) -> None: ...


class WrongAnswer(Exception):
    """A system did not answer 42: its times would mean nothing."""


class Ours:
    """A sandbox of ours; a call runs in a fresh process."""

    def __init__(self, name: str, make: Callable[[], Sandbox]) -> None:
        self.name = name
        self._make = make
        self.sandbox: Sandbox | None = None

    def open(self) -> None:
        """Make the sandbox; the first call starts what it needs."""
        self.sandbox = self._make()

    def call(self) -> None:
        """Call a function in a fresh process."""
        assert self.sandbox is not None
        with self.sandbox.open() as session:
            _check(session.call(MODULE, "double", {"n": 21}).value, self.name)

    def many(self, count: int, workers: int) -> int:
        """Make calls from several threads."""
        return _spread(self.call, count, workers)

    def containers(self) -> tuple[str, ...]:
        """Return the ids of the containers that this process owns."""
        return owned()

    def close(self) -> None:
        """Remove what it holds."""
        if self.sandbox is not None:
            self.sandbox.close()
        self.sandbox = None


def ours() -> Ours:
    """Return the Docker sandbox."""
    return Ours("Nucleate, Docker", lambda: DockerSandbox(build=False))


def monty() -> Ours:
    """Return the embedded sandbox."""
    return Ours("Nucleate, Monty", lambda: MontySandbox())


class DockerRun:
    """`docker run --rm` with the same hardening by options, once for each call."""

    name = "docker run"

    def __init__(self) -> None:
        self._profile = profile_file()

    def open(self) -> None:
        """Nothing is kept between calls."""

    def call(self) -> None:
        """Start a container that prints the answer."""
        command = ["docker", "run", "--rm", *hardening(self._profile.name), image_tag(), "-I", "-S", "-c", PRINTED]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        _check(done.stdout.strip(), self.name)

    def many(self, count: int, workers: int) -> int:
        """Start containers from several threads."""
        return _spread(self.call, count, workers)

    def containers(self) -> tuple[str, ...]:
        """Nothing is kept."""
        return ()

    def close(self) -> None:
        """Nothing is kept."""


class DockerExec:
    """`docker exec` by the SDK in one running container: a fresh interpreter for each call, state on its disk kept."""

    name = "docker exec"

    def __init__(self, client: docker.DockerClient) -> None:
        self._client = client
        self._container: Any = None
        self._own = threading.local()

    def open(self) -> None:
        """Start a container that sleeps, with the hardening of `docker run`."""
        with profile_file() as profile:
            wait = "import time; time.sleep(3600)"
            command = ["docker", "run", "--rm", "--detach", *hardening(profile.name)]
            done = subprocess.run([*command, image_tag(), "-I", "-S", "-c", wait],
                                  capture_output=True, encoding="utf-8", check=True)  # fmt: skip
        self._container = self._client.containers.get(done.stdout.strip())

    def call(self) -> None:
        """Run an interpreter in it."""
        done = self._mine().exec_run([f"/{PYTHON}", "-I", "-S", "-c", PRINTED])
        _check(done.output.decode("utf-8").strip(), self.name)

    def _mine(self) -> Any:
        """Return the container as this thread's own client knows it: clients of the SDK are not to be shared."""
        if getattr(self._own, "identity", None) != self._container.id:
            self._own.identity = self._container.id
            self._own.container = docker.from_env().containers.get(self._container.id)
        return self._own.container

    def many(self, count: int, workers: int) -> int:
        """Run interpreters from several threads."""
        return _spread(self.call, count, workers)

    def containers(self) -> tuple[str, ...]:
        """Return the container's id."""
        return (self._container.id,) if self._container is not None else ()

    def close(self) -> None:
        """Remove the container."""
        if self._container is not None:
            self._container.remove(force=True)
        self._container = None


class Foreign:
    """A peer's sandbox, by its driver."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.name = peer.name

    def open(self) -> None:
        """Start the peer's container."""
        self.peer.open()

    def call(self) -> None:
        """Run the same function by the peer's own way."""
        _check(str(self.peer.run(PRINTED).get("output")).strip(), self.name)

    def many(self, count: int, workers: int) -> int:
        """Run it from several threads inside the driver, so that the wire to the driver is not measured."""
        outputs = self.peer.many(PRINTED, count=count, workers=workers)["outputs"]
        return sum(str(output).strip() != str(ANSWER) for output in outputs)

    def containers(self) -> tuple[str, ...]:
        """Return the container's id."""
        return (self.peer.container,) if self.peer.container else ()

    def close(self) -> None:
        """Remove the peer's container."""
        self.peer.close()


def owned(pid: int | None = None) -> tuple[str, ...]:
    """Return the ids of the sandbox containers of a process (default: this one) that the engine knows."""
    client = docker.from_env()
    try:
        found = client.api.containers(all=True, filters={"label": PRODUCT})
    finally:
        client.close()
    mine = f"{pid or os.getpid()} "
    return tuple(item["Id"] for item in found if (item.get("Labels") or {}).get(OWNER, "").startswith(mine))


def hardening(profile: str) -> list[str]:
    """Return the options of `docker run` that come closest to the sandbox's own."""
    return [
        "--network=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges:true",
        f"--security-opt=seccomp={profile}", "--pids-limit=34", f"--memory={MEMORY}", f"--memory-swap={MEMORY}",
        "--cpus=1", "--ipc=none", f"--user={USER}", "--tmpfs=/tmp:size=64m,noexec,nosuid,nodev",
        f"--entrypoint=/{PYTHON}",
        f"--label={PRODUCT}=",  # the image's own label would have it reaped as a sandbox whose owner is dead
    ]  # fmt: skip


def profile_file() -> IO[str]:
    """Return a file that holds the allow-list as `docker run` takes it; it is gone when it is closed."""
    file = tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8")  # noqa: SIM115 - the caller's to close
    file.write(json.dumps(seccomp()))
    file.flush()
    return file


def seccomp() -> Any:
    """Return the sandbox's own allow-list of system calls."""
    return json.loads((files("nucleate_sandbox") / "image" / "seccomp.json").read_text("utf-8"))


def _check(answer: object, name: str) -> None:
    if str(answer) != str(ANSWER):
        raise WrongAnswer(f"{name} answered {answer!r}, not {ANSWER}")


def _spread(call: Callable[[], None], count: int, workers: int) -> int:
    """Make the calls from several threads, and return how many were answered wrongly."""
    with ThreadPoolExecutor(workers) as pool:
        faults = [done.exception() for done in [pool.submit(call) for _ in range(count)]]
    return sum(fault is not None for fault in faults)


def memory_bytes(client: docker.DockerClient, identity: str) -> int:
    """Return what a container holds in memory, without the page cache that the kernel can take back."""
    stats: Any = client.api.stats(identity, stream=False, one_shot=True)
    usage = stats["memory_stats"]
    return int(usage["usage"]) - int(usage["stats"].get("total_inactive_file", usage["stats"].get("inactive_file", 0)))


def processes(client: docker.DockerClient, identities: tuple[str, ...]) -> int:
    """Return how many processes run in these containers; one that is gone has none."""
    count = 0
    for identity in identities:
        with suppress(docker.errors.APIError):
            count += len(client.containers.get(identity).top()["Processes"])
    return count
