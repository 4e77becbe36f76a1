"""What works here, what does not, and the next step: one line for each part that the product stands on."""

from __future__ import annotations

import getpass
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import nucleate_sandbox
from nucleate.errors import NucleateError
from nucleate.settings.backends import MONTY
from nucleate.settings.settings import Settings
from nucleate_sandbox import SandboxError, docker
from nucleate_text_memory import LocalEmbedder, MemoryFault

State = Literal["ok", "note", "no"]
ENOUGH_MEMORY = 1024  # MiB: two containers of the default limits, and this process


@dataclass(frozen=True, kw_only=True)
class Check:
    """One part: `ok`, a `note` where it works with a restriction, `no` where it does not; and a line that says why."""

    name: str
    state: State
    message: str


Answer = tuple[State, str]


def checks(settings: Settings, database: Callable[[], str]) -> Iterator[Check]:
    """Look at each part in turn. What needs the engine is left out where the engine is what is missing."""
    yield _check("python", _python)
    yield _check("user", _user)
    yield _check("memory", _memory)
    yield _check("uv", lambda: ("ok", nucleate_sandbox.uv_version()))
    if settings.sandbox != MONTY:
        yield from _docker(settings)
    yield _check("embedded sandbox", _monty)
    yield _check("embeddings", _embeddings)
    yield _check("database", lambda: ("ok", database()))


def _check(name: str, ask: Callable[[], Answer]) -> Check:
    try:
        state, message = ask()
    except (NucleateError, SandboxError, MemoryFault) as error:
        state, message = "no", " ".join(str(error).split())
    return Check(name=name, state=state, message=message)


def _docker(settings: Settings) -> Iterator[Check]:
    engine = _check("docker engine", _engine)
    yield engine
    if engine.state == "no":
        return
    found = docker.engine_facts()
    yield _check("kernel", lambda: _kernel(found))
    image = _check("sandbox image", _image)
    yield image
    if image.state == "ok":
        yield _check("docker sandbox", lambda: _container(settings))


def _python() -> Answer:
    return "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}"


def _user() -> Answer:
    name = f"{getpass.getuser()!r} ({os.getuid()})"
    if os.getuid() == 0:
        return "note", f"{name} may do anything on this machine; run as another user where you can"
    return "ok", name


def _memory() -> Answer:
    lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    free = int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1]) // 1024
    if free < ENOUGH_MEMORY:
        return "note", f"{free} MiB are free; end other programs, since a container may take 384 MiB"
    return "ok", f"{free} MiB are free"


def _engine() -> Answer:
    return "ok", f"{docker.engine_facts().version} at {docker.engine_address()!r}"


def _kernel(found: docker.Facts) -> Answer:
    if not found.seccomp:
        return "no", "the engine filters no system calls (no seccomp); use a kernel and an engine that do"
    if found.unbounded:
        return "no", f"the kernel does not limit {', '.join(found.unbounded)}; boot it with those control groups"
    message = f"system calls are filtered, control groups version {found.cgroup}"
    if not found.apparmor:
        return "note", f"{message}; no AppArmor here, which would be one layer more"
    return "ok", f"{message}, AppArmor"


def _image() -> Answer:
    found = docker.status()
    if not found.image_present:
        return "note", f"{found.image} is not there yet; `nucleate sandbox build` makes it, and so does the first call"
    return "ok", found.image


def _container(settings: Settings) -> Answer:
    began = time.perf_counter()
    with docker.DockerSandbox(build=False, runtime=settings.sandbox_runtime) as sandbox, sandbox.open() as session:
        outcome = session.run("6 * 7")
    if outcome.value != 42:
        return "no", f"a program in a container ended with {outcome.failure!r}; run `nucleate sandbox build --force`"
    return "ok", f"a program ran in a container, verified from inside, in {time.perf_counter() - began:.1f} s"


def _monty() -> Answer:
    with nucleate_sandbox.MontySandbox() as sandbox, sandbox.open() as session:
        return "ok", f"a program ran and gave {session.run('6 * 7').value!r}"


def _embeddings() -> Answer:
    embedder = LocalEmbedder()
    (vector,) = embedder.embed(["recurring plans become tools"])
    return "ok", f"{embedder.model}, {len(vector)} numbers for a text"
