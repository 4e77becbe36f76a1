"""When the machine fails nothing is known about the program, and the next call works."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import docker
import pytest
from docker.errors import APIError

from nucleate_sandbox import DockerSandbox, EngineUnavailable, Functions, Json, JsonObject, SandboxError
from tests.sandbox.docker.programs import Shop, module

HELLO = module("def tool():\n    return 'hello'\n")


def own_containers() -> list[str]:
    """Return the containers of this process, by their label."""
    client = docker.from_env()
    try:
        found = client.api.containers(all=True, filters={"label": "org.nucleate.owner"})
        return [item["Id"] for item in found if item["Labels"]["org.nucleate.owner"].split()[0] == str(os.getpid())]
    finally:
        client.close()


def remove(identities: list[str]) -> None:
    client = docker.from_env()
    for identity in identities:
        with contextlib.suppress(APIError):  # the pool removes its spent ones beside this
            client.containers.get(identity).remove(force=True)
    client.close()


@pytest.mark.docker
def test_a_container_removed_in_the_middle_is_an_outage_and_the_next_call_works(docker_sandbox: DockerSandbox) -> None:
    entered, release = threading.Event(), threading.Event()
    errors: list[str] = []

    def slow(arguments: JsonObject) -> Json:
        entered.set()
        return release.wait(30)

    functions = Functions.of(Shop(more={"shop.slow": slow}))

    def work() -> None:
        with docker_sandbox.open(functions=functions) as session, pytest.raises(SandboxError) as caught:
            session.call(module("def tool():\n    return env.shop.slow()\n"), "tool", {})
        errors.append(str(caught.value))

    thread = threading.Thread(target=work)
    thread.start()
    assert entered.wait(30)
    remove(own_containers())
    release.set()
    thread.join()
    assert errors == [
        "the sandbox container ended in the middle of a program; call again, or look with `nucleate doctor`"
    ]
    with docker_sandbox.open() as session:
        assert session.call(HELLO, "tool", {}).value == "hello"


@pytest.mark.docker
def test_a_container_removed_while_idle_is_replaced_without_a_word(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        session.call(HELLO, "tool", {})
        remove(own_containers())
        assert session.call(HELLO, "tool", {}).value == "hello"


@pytest.mark.docker
def test_a_container_removed_under_a_namespace_is_an_outage_and_the_next_run_is_fresh(
    docker_sandbox: DockerSandbox,
) -> None:
    with docker_sandbox.open() as session:
        session.run("x = 1")
        remove(own_containers())
        with pytest.raises(SandboxError):
            session.run("x")
        assert session.run("'x' in globals()").value is False


def test_no_engine_at_the_address_is_one_line_with_the_next_step(tmp_path: Path) -> None:
    place = tmp_path / "none.sock"
    with pytest.raises(EngineUnavailable) as caught:
        DockerSandbox(host=f"unix://{place}").open()
    assert (
        str(caught.value) == f"no Docker engine: there is no socket {str(place)!r}; install Docker, or set DOCKER_HOST"
    )


def test_a_socket_that_nobody_serves_is_an_engine_that_does_not_answer(tmp_path: Path) -> None:

    path = tmp_path / "dead.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    with pytest.raises(
        EngineUnavailable, match=r"^the Docker engine at '.*dead.sock' does not answer \(.*\); start it$"
    ):
        DockerSandbox(host=f"unix://{path}").open()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become a user who may not use the socket")
def test_a_socket_that_this_user_may_not_use_is_one_line_with_the_next_step() -> None:
    program = (
        "import os, sys; from nucleate_sandbox.docker.engine import connect; os.setgroups([])\n"
        "os.setgid(61234); os.setuid(61234)\n"
        "try: connect(f'unix://{sys.argv[1]}')\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as served:
        Path(folder).chmod(0o755)
        path = Path(folder) / "guarded.sock"
        served.bind(str(path))
        served.listen()
        path.chmod(0o660)
        command = [sys.executable, "-c", program, str(path)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == (
        f"EngineUnavailable this user may not use the Docker engine at {str(path)!r}; "
        "add the user to the group that owns it\n"
    )


def test_a_closed_sandbox_refuses_work() -> None:
    sandbox = DockerSandbox()
    sandbox.close()
    with pytest.raises(SandboxError, match="the sandbox is closed; make a new DockerSandbox"):
        sandbox.open()
