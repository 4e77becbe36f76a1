"""Which engine and which runtime a sandbox uses, and what it says of those that are not there."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nucleate_sandbox import DockerSandbox, SandboxError
from tests.sandbox.docker.engine_proxy import SOCKET

PROGRAM = """
from nucleate_sandbox import DockerSandbox, SandboxError

try:
    with DockerSandbox() as sandbox, sandbox.open() as session:
        print(session.run("6 * 7").value)
except SandboxError as error:
    print(error)
"""


def elsewhere(folder: Path | None = None, /, **environment: str) -> str:
    """Return what a process in a folder with these variables, and none of ours for docker, says."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DOCKER_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=folder, env=inherited | environment,
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return done.stdout.strip()


def context(folder: Path, name: str, host: str) -> None:
    """Write a context as `docker context create` does."""
    place = folder / "contexts" / "meta" / hashlib.sha256(name.encode()).hexdigest()
    place.mkdir(parents=True)
    meta = {"Name": name, "Metadata": {}, "Endpoints": {"docker": {"Host": host, "SkipTLSVerify": False}}}
    (place / "meta.json").write_text(json.dumps(meta), encoding="utf-8")


@pytest.fixture
def other_socket(docker_sandbox: DockerSandbox, tmp_path: Path) -> str:
    """Return the engine's address under another name."""
    place = tmp_path / "engine.sock"
    place.symlink_to(SOCKET)
    return f"unix://{place}"


@pytest.mark.docker
def test_an_unknown_runtime_is_one_error_that_names_it(docker_sandbox: DockerSandbox) -> None:
    with (
        DockerSandbox(runtime="nosuch") as sandbox,
        sandbox.open() as session,
        pytest.raises(SandboxError, match=r"^the engine knows no runtime 'nosuch', only .*runc; register it with the"),
    ):
        session.run("1")


@pytest.mark.docker
def test_a_runtime_that_the_engine_knows_is_used(docker_sandbox: DockerSandbox) -> None:
    with DockerSandbox(runtime="runc") as sandbox, sandbox.open() as session:
        assert session.run("6 * 7").value == 42


@pytest.mark.docker
def test_docker_host_may_name_any_socket_of_this_machine(other_socket: str) -> None:
    assert elsewhere(DOCKER_HOST=other_socket) == "42"


@pytest.mark.docker
def test_the_context_in_use_is_honoured(other_socket: str, tmp_path: Path) -> None:
    context(tmp_path, "mine", other_socket)
    (tmp_path / "config.json").write_text('{"currentContext": "mine"}', encoding="utf-8")
    assert elsewhere(DOCKER_CONFIG=str(tmp_path)) == "42"


def test_docker_context_wins_over_the_one_in_use(tmp_path: Path) -> None:
    context(tmp_path, "mine", f"unix://{SOCKET}")
    context(tmp_path, "far", "ssh://far.invalid")
    (tmp_path / "config.json").write_text('{"currentContext": "mine"}', encoding="utf-8")
    assert elsewhere(DOCKER_CONFIG=str(tmp_path), DOCKER_CONTEXT="far") == (
        "no SSH to the engine at 'ssh://far.invalid': there is no package 'paramiko'; install it, "
        "or forward the engine's socket with ssh and set DOCKER_HOST to it"
    )


def test_a_context_that_does_not_exist_is_named(tmp_path: Path) -> None:
    assert elsewhere(DOCKER_CONFIG=str(tmp_path), DOCKER_CONTEXT="nosuch") == (
        "no docker context 'nosuch' with an engine; `docker context ls` shows all"
    )
