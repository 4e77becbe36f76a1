"""What the whole run shares: one pool of interpreters, one set of warm containers, one PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from nucleate_sandbox import DockerSandbox, EngineUnavailable, MontySandbox
from tests.postgres import binaries, cluster


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let what is slow begin first on every worker."""
    if workers := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
        items[:] = slow_first(items, workers)


def slow_first(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests so that an equal part for each worker begins with its share of the modules with slow ones.

    A worker that has done its part takes over the end of another's: were that end slow, the others would wait for it.
    """
    slow = dict.fromkeys(item.path for item in items if item.get_closest_marker("slow"))
    share = {path: number % workers for number, path in enumerate(slow)}
    rest = [item for item in items if item.path not in share]
    found: list[pytest.Item] = []
    for number in range(workers):
        first = [item for item in items if share.get(item.path) == number]
        size = max(0, (len(items) - len(found)) // (workers - number) - len(first))
        found += first + rest[:size]
        del rest[:size]
    return found + rest


@pytest.fixture(scope="session")
def monty_sandbox() -> Iterator[MontySandbox]:
    """Return the embedded sandbox."""
    with MontySandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def docker_sandbox() -> Iterator[DockerSandbox]:
    """Return the Docker sandbox; without an engine its tests are skipped, or fail where one is required."""
    with DockerSandbox() as sandbox:
        try:
            sandbox.open().close()
        except EngineUnavailable as error:
            if os.environ.get("NUCLEATE_REQUIRE_DOCKER") == "1":
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield sandbox


@pytest.fixture(scope="session")
def attached_sandbox(docker_sandbox: DockerSandbox) -> Iterator[DockerSandbox]:
    """Return the Docker sandbox as it works with an engine elsewhere: all goes over the engine's own connection."""
    with DockerSandbox(transport="attached") as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def postgres() -> Iterator[tuple[Path, Path]]:
    """Return the programs and the socket of a cluster; without one its tests are skipped, or fail where required."""
    with _cluster() as found:
        yield found


@pytest.fixture(scope="module")
def postgres_to_restart() -> Iterator[tuple[Path, Path]]:
    """Return the same of a cluster that a module stops and starts."""
    with _cluster() as found:
        yield found


@contextmanager
def _cluster() -> Iterator[tuple[Path, Path]]:
    programs = binaries()
    if programs is None:
        if os.environ.get("NUCLEATE_REQUIRE_POSTGRES") == "1":
            pytest.fail("no PostgreSQL is installed; apt-get install postgresql")
        pytest.skip("no PostgreSQL is installed; apt-get install postgresql")
    with cluster(programs) as socket:
        yield programs, socket
