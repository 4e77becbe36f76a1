"""The doctor: every part in its line, and the next step beside what does not work."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from nucleate.checks import Check
from nucleate_sandbox import DockerSandbox
from nucleate_sandbox.docker import image_tag
from tests.runtime.cli.in_process import nucleate

ALWAYS = ["python", "user", "memory", "uv", "embedded sandbox", "embeddings", "database"]


def doctor(folder: Path, **environment: str) -> tuple[int, dict[str, Check]]:
    """Return the exit code and the checks of the command, run in an empty folder."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUCLEATE_")}
    done = nucleate(folder, "doctor", "--json", environment=inherited | environment)
    told = json.loads(done.stdout)
    assert told["ok"] is (done.returncode == 0)
    return done.returncode, {item["name"]: Check(**item) for item in told["checks"]}


def test_a_missing_engine_is_one_line_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    code, found = doctor(tmp_path, DOCKER_HOST="unix:///nowhere/docker.sock")
    assert (code, [*found]) == (1, [*ALWAYS[:4], "docker engine", *ALWAYS[4:]])
    assert found["docker engine"] == Check(
        name="docker engine",
        state="no",
        message="no Docker engine: there is no socket '/nowhere/docker.sock'; install Docker, or set DOCKER_HOST",
    )
    assert {check.state for name, check in found.items() if name in ALWAYS} <= {"ok", "note"}


def test_who_chose_the_embedded_sandbox_is_not_asked_for_an_engine(tmp_path: Path) -> None:
    code, found = doctor(tmp_path, DOCKER_HOST="unix:///nowhere/docker.sock", NUCLEATE_SANDBOX="monty")
    assert (code, [*found]) == (0, ALWAYS)
    assert found["embedded sandbox"].message == "a program ran and gave 42"
    assert found["database"].message == "none yet at '.nucleate/nucleate.db'; the first command that learns makes it"


def test_a_database_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"no database " * 100)
    code, found = doctor(tmp_path, NUCLEATE_DATABASE="broken.db", NUCLEATE_SANDBOX="monty")
    assert (code, found["database"].state) == (1, "no")
    assert found["database"].message.startswith("the database 'broken.db' cannot be used")


@pytest.mark.docker
def test_with_an_engine_a_program_is_run_in_a_container(tmp_path: Path, docker_sandbox: DockerSandbox) -> None:
    code, found = doctor(tmp_path, NUCLEATE_SANDBOX="docker")
    assert (code, found["sandbox image"]) == (0, Check(name="sandbox image", state="ok", message=image_tag()))
    assert found["docker sandbox"].message.startswith("a program ran in a container, verified from inside, in ")
    assert found["kernel"].message.startswith("system calls are filtered, control groups version ")


@pytest.mark.docker
def test_a_runtime_that_the_engine_does_not_know_is_named(tmp_path: Path, docker_sandbox: DockerSandbox) -> None:
    code, found = doctor(tmp_path, NUCLEATE_SANDBOX_RUNTIME="nosuch")
    assert (code, found["docker sandbox"].state) == (1, "no")
    assert found["docker sandbox"].message.startswith("the engine knows no runtime 'nosuch', only ")
