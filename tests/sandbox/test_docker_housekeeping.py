"""Containers belong to a process; what a dead one left is removed, what a living one uses is not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from textwrap import dedent

import docker
import pytest

from nucleate_sandbox import DockerSandbox
from nucleate_sandbox.docker import clean, image_tag, status
from nucleate_sandbox.docker.image import PRODUCT, REPOSITORY
from nucleate_sandbox.docker.labels import OWNER, labels, orphaned
from tests.sandbox.docker_programs import module

HELLO = module("def tool():\n    return 'hello'\n")


@pytest.fixture
def client(docker_sandbox: DockerSandbox) -> Iterator[docker.DockerClient]:
    client = docker.from_env()
    yield client
    client.close()


def living(client: docker.DockerClient, owner: int) -> list[str]:
    found = client.api.containers(all=True, filters={"label": f"{PRODUCT}={REPOSITORY}"})
    return [item["Id"] for item in found if item["Labels"][OWNER].split()[0] == str(owner)]


@pytest.mark.docker
def test_closing_a_sandbox_leaves_no_container(client: docker.DockerClient) -> None:
    before = living(client, os.getpid())
    with DockerSandbox() as sandbox, sandbox.open() as session:
        session.run("1")
        session.call(HELLO, "tool", {})
        assert len(living(client, os.getpid())) == len(before) + 2
    assert living(client, os.getpid()) == before


@pytest.mark.docker
@pytest.mark.parametrize("end", ["raise ValueError", "os.kill(os.getpid(), 9)", "os._exit(0)", "sys.exit(0)"])
def test_a_process_that_ends_in_any_way_leaves_no_container(client: docker.DockerClient, end: str) -> None:
    program = f"""
        import os, sys
        from nucleate_sandbox import DockerSandbox
        session = DockerSandbox().open()
        print(os.getpid(), session.run("1").value, flush=True)
        {end}
        """
    done = subprocess.run([sys.executable, "-c", dedent(program)], capture_output=True, encoding="utf-8", check=False)
    owner, value = done.stdout.split()
    clean(client=client)
    assert (value, living(client, int(owner))) == ("1", [])


@pytest.mark.docker
def test_a_leftover_in_any_state_is_removed_at_the_next_start(client: docker.DockerClient) -> None:
    dead = labels("call") | {OWNER: "4194305 1"}
    identity = client.api.create_container(image_tag(), labels=dead)["Id"]
    with DockerSandbox() as sandbox:
        sandbox.open().close()
    assert identity not in [item["Id"] for item in client.api.containers(all=True)]


@pytest.mark.docker
def test_clean_leaves_what_a_living_process_uses(client: docker.DockerClient, docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        session.run("x = 1")
        clean(client=client)
        assert session.run("x").value == 1


@pytest.mark.docker
def test_the_status_names_engine_and_image(client: docker.DockerClient) -> None:
    found = status(client=client)
    assert (found.image, found.image_present, found.engine) == (image_tag(), True, client.version()["Version"])


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({}, False),
        ({OWNER: "4194305 1"}, True),
        ({OWNER: "1 0"}, True),
        ({OWNER: ""}, True),
        ({"org.nucleate.boot": "another"}, True),
        ({"org.nucleate.pid-namespace": "pid:[1]", OWNER: "4194305 1"}, False),
    ],
)
def test_a_container_is_orphaned_when_its_owner_is_certainly_gone(change: dict[str, str], gone: bool) -> None:
    assert orphaned(labels("call") | change) is gone
