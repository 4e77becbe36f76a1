"""Environments by name: opened where they are needed, closed with the runtime, stored without secrets."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nucleate import InputInvalid, Runtime, Settings
from nucleate.calling_places import environment_for
from nucleate.environments import ObjectEnvironment
from nucleate.environments.connections import McpConnection, ObjectConnection, OpenApiConnection, read_document
from nucleate_sandbox import EnvironmentUnavailable
from tests.runtime.environments.cli_world import Tickets
from tests.runtime.environments.http_servers import served
from tests.runtime.environments.servers import SERVER
from tests.runtime.environments.service import Service

WORLD = "tests.runtime.environments.cli_world"


def office() -> ObjectEnvironment:
    return ObjectEnvironment("office", {"desk": Tickets()})


def runtime_in(folder: Path) -> Runtime:
    return Runtime(settings=Settings(database=str(folder / "desk.db"), worker="off"))


def test_a_scope_that_was_added_is_opened_by_itself_and_any_other_by_name(tmp_path: Path) -> None:
    with runtime_in(tmp_path) as runtime:
        runtime.known.add("desk", ObjectConnection(target=f"{WORLD}:Tickets"))
        for scope, target in (("desk", None), ("shop", "desk"), ("shop", f"{WORLD}:Tickets")):
            environment = environment_for(runtime, scope, target=target, task=None)
            assert environment.call(f"{environment.name}.get", {"number": 7}) == {"number": 7}
        with pytest.raises(InputInvalid, match="no environment named 'office' was added"):
            environment_for(runtime, "desk", target="office", task=None)
        with pytest.raises(InputInvalid, match="the environment 'office' does not run here; nucleate env add"):
            environment_for(runtime, "office", target=None, task=None)


def test_what_was_opened_by_name_is_closed_with_the_runtime(tmp_path: Path) -> None:
    with runtime_in(tmp_path) as runtime:
        runtime.known.add("raw", McpConnection(command=(sys.executable, str(SERVER))))
        raw = runtime.known.open("raw")
        assert raw.call("raw.look", {}) == "0"
    with pytest.raises(EnvironmentUnavailable, match="is closed"):
        raw.call("raw.look", {})


def test_an_object_that_is_an_environment_keeps_its_own_name(tmp_path: Path) -> None:
    here = "tests.runtime.environments.test_known:office"
    with runtime_in(tmp_path) as runtime:
        runtime.known.add("office", ObjectConnection(target=here))
        assert runtime.known.open("office").call("desk.get", {"number": 7}) == {"number": 7}
        runtime.known.add("shop", ObjectConnection(target=here))
        with pytest.raises(InputInvalid, match="is the environment 'office'; add it by that name"):
            runtime.known.open("shop")


@pytest.mark.parametrize("name", ["", "Desk", "my-desk", "7desk", "a" * 41, "desk.get"])
def test_a_name_that_could_be_no_namespace_is_refused(name: str, tmp_path: Path) -> None:
    with runtime_in(tmp_path) as runtime, pytest.raises(InputInvalid, match="is no name for an environment"):
        runtime.known.add(name, ObjectConnection(target=f"{WORLD}:Tickets"))


@pytest.mark.parametrize(
    "connection",
    [
        McpConnection(command=("server",), variables={"PASSWORD": "hunter2hunter2"}),
        McpConnection(url="https://me:hunter2hunter2@mcp.example/mcp"),
        McpConnection(url="https://mcp.example/mcp", headers={"authorization": "Bearer abcdefgh12345678"}),
        OpenApiConnection(document="api.json", secrets={"token": "ghp_0123456789012345678901234567890123456789"}),
    ],
    ids=["variable", "address", "header", "secret"],
)
def test_a_secret_in_the_place_of_a_reference_is_refused(
    connection: McpConnection | OpenApiConnection, tmp_path: Path
) -> None:
    with runtime_in(tmp_path) as runtime:
        with pytest.raises(InputInvalid, match="holds what looks like a secret; give it as env:NAME or file:PATH"):
            runtime.known.add("shop", connection)
        assert not runtime.known.all()


def test_references_are_no_secrets(tmp_path: Path) -> None:
    connection = McpConnection(url="https://mcp.example/mcp", headers={"x-api-key": "env:API_KEY"})
    with runtime_in(tmp_path) as runtime:
        runtime.known.add("shop", connection)
        assert runtime.known.get("shop").connection == connection


def test_a_document_is_read_from_its_address() -> None:
    service = Service()
    with served(service) as port:
        assert b'"path": "/api.json"' in read_document(f"http://127.0.0.1:{port}/api.json")
        with pytest.raises(InputInvalid, match="is answered with status 404"):
            read_document(f"http://127.0.0.1:{port}/v1/plain-404")
    with pytest.raises(EnvironmentUnavailable, match="cannot be read"):
        read_document(f"http://127.0.0.1:{port}/api.json")
