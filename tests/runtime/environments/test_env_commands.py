"""`nucleate env`: add, list, describe, call, drift, remove, approvals."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from nucleate.cli.app import app
from nucleate.errors import DatabaseUnusable, InputInvalid
from nucleate_sandbox import EnvironmentUnavailable
from tests.runtime.environments.cli_world import STANDS, Later
from tests.runtime.environments.http_servers import served
from tests.runtime.environments.servers import SERVER
from tests.runtime.environments.service import Service
from tests.runtime.environments.shop_api import simple

WORLD = "tests.runtime.environments.cli_world"


class Desk:
    """A command line with a database of its own."""

    def __init__(self, database: Path) -> None:
        self._database = database

    def run(self, *words: str) -> Any:
        return CliRunner().invoke(app, ["--database", str(self._database), "env", *words])

    def json(self, *words: str) -> Any:
        ended = self.run(*words, "--json")
        assert ended.exit_code == 0, ended.output
        return json.loads(ended.stdout)

    def error(self, *words: str) -> Exception:
        ended = self.run(*words)
        assert isinstance(ended.exception, Exception)
        return ended.exception


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "desk.db")


def test_an_object_is_added_listed_described_called_and_removed(desk: Desk) -> None:
    line = {
        "name": "desk",
        "kind": "object",
        "place": f"{WORLD}:Tickets",
        "functions": 2,
        "effects": {"read": 1, "write": 0, "destructive": 1},
    }
    assert desk.json("add", "desk", "--object", f"{WORLD}:Tickets") == {**line, "unusable": {}}
    assert desk.json("list") == [line]
    assert desk.json("describe", "desk", "get")["parameters"]["required"] == ["number"]
    assert [item["name"] for item in desk.json("describe", "desk")] == ["desk.get", "desk.shred"]
    assert desk.json("call", "desk", "get", "number=7") == {"number": 7}
    assert desk.json("remove", "desk") == {"removed": "desk"}
    assert desk.json("list") == [{**line, "kind": None, "place": None}]


def test_an_error_of_a_function_is_one_line_and_exit_code_1(desk: Desk) -> None:
    desk.json("add", "desk", "--object", f"{WORLD}:Tickets")
    ended = desk.run("call", "desk", "get", "number=70")
    assert (ended.exit_code, ended.stderr.strip()) == (1, "LookupError: no ticket 70")


def test_a_destructive_call_needs_a_yes_and_is_kept(desk: Desk) -> None:
    desk.json("add", "desk", "--object", f"{WORLD}:Tickets")
    ended = desk.run("call", "desk", "shred", "number=7")
    assert (ended.exit_code, ended.stderr.strip()) == (
        1,
        "NotApproved: desk.shred is destructive and was not approved",
    )
    assert desk.json("call", "desk", "shred", "number=7", "--yes") == "ticket 7 is gone"
    kept = [(item["function"], item["arguments"], item["allowed"]) for item in desk.json("approvals")]
    assert kept == [("desk.shred", '{"number":7}', False), ("desk.shred", '{"number":7}', True)]


def test_drift_is_told_with_exit_code_1_until_it_is_accepted(desk: Desk) -> None:
    desk.json("add", "desk", "--object", f"{WORLD}:today")
    assert desk.run("drift", "desk").exit_code == 0
    STANDS.append(Later)
    try:
        _see_drift(desk)
    finally:
        STANDS.remove(Later)


def _see_drift(desk: Desk) -> None:
    ended = desk.run("drift", "desk", "--json")
    assert (ended.exit_code, json.loads(ended.stdout)) == (
        1,
        {
            "environment": "desk",
            "added": ["desk.bury"],
            "removed": ["desk.shred"],
            "changed": ["desk.get"],
            "reasons": {
                "desk.shred": "desk.shred is gone",
                "desk.get": "desk.get takes another 'number', returns something else",
            },
            "tools": {"desk.shred": [], "desk.get": []},
        },
    )
    assert desk.run("drift", "desk").exit_code == 1
    assert desk.run("drift", "desk", "--accept").exit_code == 0
    assert desk.run("drift", "desk").exit_code == 0


def test_an_mcp_server_is_added_with_what_it_does_not_say(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "functions.json"
    more = {
        "environment": "raw",
        "functions": [{"name": "raw.rows_as_text", "doc": "Rows.", "returns": {"type": "object"}}],
    }
    file.write_text(json.dumps(more), encoding="utf-8")
    command = f"{sys.executable} {SERVER}"
    added = desk.json("add", "raw", "--mcp", command, "--functions", str(file), "--effect", "fail=write")
    assert (added["functions"], sorted(added["unusable"])) == (19, ["raw.broken"])
    assert desk.json("call", "raw", "rows_as_text") == {"rows": [1]}
    assert desk.json("describe", "raw", "fail")["effect"] == "write"


def test_an_openapi_service_is_added_from_its_address(desk: Desk, tmp_path: Path) -> None:
    secret = tmp_path / "key"
    secret.write_text("open-sesame", encoding="utf-8")
    file = tmp_path / "api.json"
    file.write_text(json.dumps(simple("echo")), encoding="utf-8")
    service = Service()
    with served(service) as port:
        base = f"http://127.0.0.1:{port}/v1"
        desk.json("add", "api", "--openapi", str(file), "--base-url", base, "--secret", f"bearer=file:{secret}")
        assert desk.json("call", "api", "get_echo")["headers"]["authorization"] == "Bearer [secret]"
    assert service.requests[-1]["headers"]["authorization"] == "Bearer open-sesame"
    assert "sesame" not in (tmp_path / "desk.db").read_bytes().decode("latin-1")


def test_a_function_file_alone_is_known_and_cannot_be_called(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "functions.json"
    file.write_text('[{"name": "get"}]', encoding="utf-8")
    assert desk.json("add", "shop", "--functions", str(file))["functions"] == 1
    assert "nothing answers its calls" in str(desk.error("call", "shop", "get"))


@pytest.mark.parametrize(
    ("words", "kind", "says"),
    [
        (["shop"], InputInvalid, "say once how it is reached"),
        (["shop", "--object", "a:b", "--mcp", "c"], InputInvalid, "say once how it is reached"),
        (["Shop!", "--functions", "f.json"], InputInvalid, "cannot be read"),
        (["shop", "--object", "no.such:thing"], InputInvalid, "give MODULE:NAME"),
        (["shop", "--mcp", "no-such-program-here"], EnvironmentUnavailable, "does not answer"),
        (["shop", "--mcp", "x", "--secret", "a=env:B"], InputInvalid, "--secret goes with --openapi"),
        (["shop", "--object", "a:b", "--effect", "get"], InputInvalid, "'get' has no ="),
        (["shop", "--object", f"{WORLD}:Tickets", "--effect", "get=harmless"], InputInvalid, "effects.shop.get"),
        (["shop", "--object", f"{WORLD}:Tickets", "--effect", "keep=read"], InputInvalid, "effects names 'shop.keep'"),
        (["shop", "--mcp", "server 'x"], InputInvalid, "is no command: No closing quotation"),
        (["shop", "--openapi", "no-such-file.yaml"], InputInvalid, "cannot be read"),
        (["shop", "--mcp-url", "ftp://x"], InputInvalid, "is no address of an MCP server"),
        (
            ["shop", "--mcp", f"{sys.executable} {SERVER}", "--variable", "API_KEY=sk-proj-1234567890abcdefghij"],
            InputInvalid,
            "holds what looks like a secret",
        ),
    ],
)
def test_what_cannot_be_added_is_one_clear_error_and_leaves_nothing(
    desk: Desk, words: list[str], kind: type[Exception], says: str
) -> None:
    error = desk.error("add", *words)
    assert isinstance(error, kind)
    assert says in str(error)
    ended = desk.run("list", "--json")
    assert isinstance(ended.exception, DatabaseUnusable) or json.loads(ended.stdout) == []


def test_a_name_is_taken_until_it_is_replaced(desk: Desk) -> None:
    desk.json("add", "desk", "--object", f"{WORLD}:Tickets")
    assert "'desk' is known already" in str(desk.error("add", "desk", "--object", f"{WORLD}:Later"))
    assert desk.json("add", "desk", "--object", f"{WORLD}:Later", "--replace")["place"] == f"{WORLD}:Later"
    assert "no environment named 'shop' was added (there are desk)" in str(desk.error("call", "shop", "get"))


def test_tables_are_for_people(desk: Desk) -> None:
    shown = desk.run("add", "desk", "--object", f"{WORLD}:Tickets").stdout
    assert "desk: 2 functions" in shown
    assert "next: nucleate env call desk FUNCTION name=value" in shown
    assert "1 environments" in desk.run("list").stdout
    assert "Look up a ticket." in desk.run("describe", "desk").stdout
    assert "desk.get(number: int)" in desk.run("describe", "desk", "desk.get").stdout
    assert "0 destructive calls" in desk.run("approvals").stdout
    assert "as they were last seen" in desk.run("drift", "desk").stdout
