"""Containers and folders belong to a process; what a dead one left is removed, what a living one uses is not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import docker
import pytest

from nucleate_sandbox import DockerSandbox
from nucleate_sandbox.docker import FoundContainer, clean, clean_images, image_tag, status
from nucleate_sandbox.docker.folders import owned_folder, reap_folders
from nucleate_sandbox.docker.images.tags import ENTRYPOINT
from nucleate_sandbox.docker.labels import OWNER, PRODUCT, PURPOSE, REPOSITORY, labels, orphaned
from tests.sandbox.docker.programs import module

HELLO = module("def tool():\n    return 'hello'\n")
DEAD = labels("call") | {OWNER: "4194305 1"}


@pytest.fixture
def client(docker_sandbox: DockerSandbox) -> Iterator[docker.DockerClient]:
    client = docker.from_env()
    yield client
    client.close()


def living(client: docker.DockerClient, owner: int) -> list[str]:
    found = client.api.containers(all=True, filters={"label": f"{PRODUCT}={REPOSITORY}"})
    return [item["Id"] for item in found if item["Labels"].get(OWNER, "").partition(" ")[0] == str(owner)]


def leftover(client: docker.DockerClient, state: str) -> str:
    """Return a container in this state whose owner is no more."""
    command = [*ENTRYPOINT[:3], "-c", "pass" if state == "exited" else "import time; time.sleep(600)"]
    host = client.api.create_host_config(network_mode="none")
    identity = str(client.api.create_container(image_tag(), labels=DEAD, entrypoint=command, host_config=host)["Id"])
    if state != "created":
        client.api.start(identity)
    if state == "paused":
        client.api.pause(identity)
    if state == "exited":
        client.api.wait(identity)
    return identity


def owner_that_ends_by(end: str) -> int:
    """Return the id of a process that ended so while its calls were under way."""
    command = [sys.executable, "-m", "tests.sandbox.docker.owner_program", end]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=600)
    assert (end, done.returncode) in {("exit", 0), ("exception", 1), ("SIGINT", -2), ("SIGTERM", -15), ("SIGKILL", -9)}
    return int(done.stdout)


@pytest.mark.docker
def test_closing_a_sandbox_leaves_no_container(client: docker.DockerClient) -> None:
    before = set(living(client, os.getpid()))
    with DockerSandbox() as sandbox, sandbox.open() as session:
        session.run("1")
        session.call(HELLO, "tool", {})
        mine = set(living(client, os.getpid())) - before
    assert len(mine) >= 2
    assert mine & set(living(client, os.getpid())) == set()


@pytest.mark.docker
@pytest.mark.parametrize("end", ["exit", "exception", "SIGINT"])
def test_a_process_that_ends_with_calls_under_way_leaves_no_container(client: docker.DockerClient, end: str) -> None:
    assert living(client, owner_that_ends_by(end)) == []


@pytest.mark.docker
@pytest.mark.parametrize("end", ["SIGTERM", "SIGKILL"])
def test_after_a_process_that_was_killed_a_start_leaves_no_container(client: docker.DockerClient, end: str) -> None:
    owner = owner_that_ends_by(end)
    with DockerSandbox() as sandbox:
        sandbox.open().close()
    assert living(client, owner) == []


@pytest.mark.docker
@pytest.mark.parametrize("state", ["created", "running", "paused", "exited"])
def test_a_leftover_in_any_state_is_removed_and_named(client: docker.DockerClient, state: str) -> None:
    identity = leftover(client, state)
    expected = FoundContainer(identity=identity, purpose="call", state=state, owner="4194305", left=True)
    assert str(expected) == f"container {identity[:12]} (call, {state}) of process 4194305"
    removed = [item for item in clean(client=client) if item.identity == identity]
    being_removed = replace(expected, state="removing")  # another process that starts a sandbox may have been first
    assert removed in ([expected], [being_removed], [])
    assert identity not in [item["Id"] for item in client.api.containers(all=True)]


@pytest.mark.docker
def test_clean_leaves_what_a_living_process_uses(client: docker.DockerClient, docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        session.run("x = 1")
        clean(client=client)
        assert session.run("x").value == 1


@pytest.mark.docker
def test_a_container_that_somebody_else_made_of_our_image_is_left_alone(client: docker.DockerClient) -> None:
    host = client.api.create_host_config(network_mode="none")
    identity = str(client.api.create_container(image_tag(), host_config=host)["Id"])
    try:
        assert identity not in [item.identity for item in clean(client=client)]
        assert identity in [item["Id"] for item in client.api.containers(all=True)]
    finally:
        client.api.remove_container(identity)


@pytest.mark.docker
def test_the_status_names_engine_image_and_containers(
    client: docker.DockerClient, docker_sandbox: DockerSandbox
) -> None:
    with docker_sandbox.open() as session:
        session.run("1")
        found = status(client=client)
        assert (found.image, found.image_present, found.engine) == (image_tag(), True, client.version()["Version"])
        assert image_tag() in found.images
        assert ("call", "running", False) in [
            (item.purpose, item.state, item.left) for item in found.found if item.owner == str(os.getpid())
        ]


@dataclass
class Image:
    """An image with one name or none."""

    id: str
    tags: list[str]


class Engine:
    """An engine that has images and nothing else; some are in use. An image without a tag goes by its id."""

    def __init__(self, *names: str, used: str) -> None:
        self.names = list(names)
        self._used = used
        self.images = self

    def list(self, filters: dict[str, str]) -> list[Image]:
        assert filters == {"label": f"{PRODUCT}={REPOSITORY}"}
        return [Image(id=name, tags=[name] if ":" in name else []) for name in self.names]

    def remove(self, name: str, force: bool) -> None:
        if name == self._used or force:
            raise docker.errors.APIError("in use", response=Conflict())  # type: ignore[arg-type]
        self.names.remove(name)


class Conflict:
    """How an engine answers who removes what is in use."""

    status_code = 409


def test_cleaning_images_keeps_the_present_one_those_in_use_and_those_of_others() -> None:
    old, used, packages = f"{REPOSITORY}:0123456789ab", f"{REPOSITORY}:cafecafecafe-0", f"{image_tag()}-0123456789ab"
    engine = Engine(image_tag(), packages, used, "nameless", old, "built-on-ours:1", used=used)
    assert clean_images(client=engine) == (*sorted([old, packages]), "nameless")  # type: ignore[arg-type]
    assert engine.names == [image_tag(), used, "built-on-ours:1"]


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({}, False),
        ({OWNER: "4194305 1"}, True),
        ({OWNER: f"{os.getpid()} 1"}, True),
        ({OWNER: "1 0"}, True),
        ({OWNER: ""}, True),
        ({"org.nucleate.boot": "another"}, True),
        ({"org.nucleate.boot": "another", "org.nucleate.machine": "another"}, False),
        ({"org.nucleate.pid-namespace": "pid:[1]", OWNER: "4194305 1"}, False),
    ],
    ids=[
        "living",
        "dead",
        "pid in use again",
        "pid of init",
        "no owner",
        "another boot",
        "another machine",
        "another namespace",
    ],
)
def test_a_container_is_orphaned_when_its_owner_is_certainly_gone(change: dict[str, str], gone: bool) -> None:
    assert orphaned(labels("call") | change) is gone


def test_a_label_tells_the_purpose() -> None:
    assert labels("test")[PURPOSE] == "test"


def test_a_folder_goes_with_its_owner_or_after_it() -> None:
    program = (
        "import os; from nucleate_sandbox.docker.folders import owned_folder\n"
        "with owned_folder('x') as f: print(f.parent, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    left = Path(done.stdout.strip())
    with owned_folder("x") as mine:
        assert left.is_dir()
        assert left in reap_folders()
        assert (left.exists(), mine.exists()) == (False, True)
    assert not mine.parent.exists()


@pytest.mark.parametrize("mark", ["", "{", "[]", '"x"', "{}"], ids=["none", "broken", "list", "text", "nobody"])
def test_a_folder_without_a_readable_owner_is_not_ours_to_remove(mark: str) -> None:
    with tempfile.TemporaryDirectory(prefix="nucleate-") as name:
        (Path(name) / "owner.json").write_text(mark, encoding="utf-8")
        assert Path(name) not in reap_folders()
        assert Path(name).is_dir()
