"""Tests of the library run on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import shared_database
from tests.tool_library.doubles import DATABASE

ONE = ("test_closures",)  # many drawn graphs, whose closures are the same arithmetic on any database


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test on SQLite and on PostgreSQL."""
    if "_database" in metafunc.fixturenames:
        one = metafunc.module.__name__.endswith(ONE)
        metafunc.parametrize("_database", ["sqlite"] if one else ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(autouse=True)
def _database(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param == "sqlite":
        yield
        return
    with shared_database(*request.getfixturevalue("postgres")) as engine:
        token = DATABASE.set(engine)
        yield
        DATABASE.reset(token)
