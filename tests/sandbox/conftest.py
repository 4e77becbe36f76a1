"""One Docker sandbox for the whole run; without an engine its tests are skipped, or fail where one is required."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from nucleate_sandbox import DockerSandbox, EngineUnavailable


@pytest.fixture(scope="session")
def docker_sandbox() -> Iterator[DockerSandbox]:
    with DockerSandbox() as sandbox:
        try:
            sandbox.open().close()
        except EngineUnavailable as error:
            if os.environ.get("NUCLEATE_REQUIRE_DOCKER") == "1":
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield sandbox
