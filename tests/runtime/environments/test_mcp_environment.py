"""The tools of an MCP server as functions: descriptions, results, errors."""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nucleate import InputInvalid
from nucleate.environments import McpEnvironment, McpServer
from nucleate_sandbox import Effect, FunctionError, FunctionSpec, Json
from tests.runtime.environments.raw_server import NONE, PIXEL, ROWS, TEXT
from tests.runtime.environments.servers import connect, raw_server


@pytest.fixture(scope="module")
def raw() -> Iterator[McpEnvironment]:
    with connect() as environment:
        yield environment


def secret(folder: Path) -> str:
    file = folder / "key"
    file.write_text("open-sesame\n", encoding="utf-8")
    return f"file:{file}"


def failure(environment: McpEnvironment, name: str, **arguments: Json) -> tuple[str, str]:
    with pytest.raises(FunctionError) as caught:
        environment.call(name, arguments)
    return caught.value.kind, caught.value.message


def test_each_tool_is_a_function_with_the_effect_that_its_annotations_say(raw: McpEnvironment) -> None:
    assert raw.functions["raw.echo"] == FunctionSpec(
        name="raw.echo", doc="Does echo.", parameters=TEXT, returns={}, effect=Effect.READ
    )
    assert raw.functions["raw.rows"] == FunctionSpec(
        name="raw.rows", doc="Does rows.", parameters=NONE, returns=ROWS, effect=Effect.WRITE
    )
    assert raw.functions["raw.fail"].effect is Effect.DESTRUCTIVE


def test_a_broken_tool_is_named_with_the_reason_and_the_others_stay(raw: McpEnvironment) -> None:
    assert len(raw.functions) == 19
    assert dict(raw.unusable) == {
        "raw.broken": "inputSchema: Input should be a valid dictionary or instance of InputSchema",
    }
    assert failure(raw, "raw.broken")[0] == "UnknownFunction"


def test_a_tool_whose_result_schema_is_broken_stays_without_it(raw: McpEnvironment) -> None:
    assert raw.functions["raw.half"].returns == {}
    assert raw.call("raw.half", {}) == '{"rows": [1]}'


def test_arguments_whose_names_python_cannot_write_have_others_here(raw: McpEnvironment) -> None:
    parameters = raw.functions["raw.odd"].parameters
    assert parameters["properties"] == {"from_": {}, "repo_path": {}, "to": {}}
    assert parameters["required"] == ["from_"]
    assert raw.call("raw.odd", {"from_": 1, "repo_path": 2, "to": 3}) == '{"from": 1, "repo-path": 2, "to": 3}'


def test_structured_content_is_preferred_to_text(raw: McpEnvironment) -> None:
    assert raw.call("raw.rows", {}) == {"rows": [1, 2, 3]}


def test_text_is_read_as_json_where_the_schema_says_what_it_is(raw: McpEnvironment) -> None:
    assert raw.call("raw.rows_as_text", {}) == {"rows": [1]}


def test_text_stays_text_where_no_schema_says_otherwise(raw: McpEnvironment) -> None:
    assert raw.call("raw.echo", {"text": '{"a": 1}'}) == '{"a": 1}'


def test_several_blocks_are_a_list(raw: McpEnvironment) -> None:
    assert raw.call("raw.several", {}) == ["1", "two"]


def test_a_picture_is_a_reference_of_a_bounded_size(raw: McpEnvironment) -> None:
    content = b64decode(PIXEL)
    digest = hashlib.sha256(content).hexdigest()
    expected = {"type": "image", "mimeType": "image/png", "bytes": len(content), "sha256": digest}
    assert raw.call("raw.picture", {}) == expected


@pytest.mark.parametrize(
    ("said", "kind", "message"),
    [
        ("no such order", "ToolError", "no such order"),
        ("OrderNotFound: no order 7", "OrderNotFound", "no order 7"),
        ("Error executing tool fail: ValueError: 7 is odd", "ValueError", "7 is odd"),
        ("sqlite3.OperationalError: no such table", "OperationalError", "no such table"),
        ("Warning: it is late", "ToolError", "Warning: it is late"),
        ("", "ToolError", "raw.fail failed and does not say why"),
    ],
)
def test_an_error_of_a_tool_has_a_kind(raw: McpEnvironment, said: str, kind: str, message: str) -> None:
    assert failure(raw, "raw.fail", text=said) == (kind, message)


def test_a_result_that_does_not_fit_the_tools_schema_is_an_invalid_result(raw: McpEnvironment) -> None:
    assert failure(raw, "raw.wrong_rows") == (
        "InvalidResult",
        "raw.wrong_rows: the result is not what its schema says: $.rows: 'none' is not of type 'array'",
    )


def test_a_result_of_an_unknown_form_is_an_invalid_result(raw: McpEnvironment) -> None:
    assert failure(raw, "raw.strange")[0] == "InvalidResult"


def test_the_whole_result_can_be_had(raw: McpEnvironment) -> None:
    result = raw.result("raw.fail", {"text": "no"})
    assert result.is_error
    assert raw.tools["raw.rows_as_text"].name == "rows-as-text"
    assert raw.tools["raw.rows_as_text_5b7c16"].name == "rows as text"


def test_calls_from_many_threads_get_each_its_own_answer(raw: McpEnvironment) -> None:
    words = [f"word {number}" for number in range(50)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda word: raw.call("raw.echo", {"text": word}), words)) == words


def test_a_server_cannot_be_forked(raw: McpEnvironment) -> None:
    with pytest.raises(FunctionError) as caught:
        raw.fork()
    assert (caught.value.kind, caught.value.message) == (
        "CannotFork",
        "environment 'raw' is a server's: it cannot be copied",
    )


def test_effects_and_whole_functions_can_be_declared() -> None:
    declared = FunctionSpec(name="raw.rows_as_text", doc="Rows.", returns=ROWS, effect=Effect.READ)
    with McpEnvironment(
        "raw", raw_server(), effects={"raw.fail": "write"}, declared={"raw.rows_as_text": declared}
    ) as raw:
        assert raw.functions["raw.fail"].effect is Effect.WRITE
        assert raw.functions["raw.rows_as_text"] == declared


def test_an_effect_of_no_function_is_refused() -> None:
    with pytest.raises(InputInvalid, match=r"'raw.nothing' is not a function of 'raw'; it has raw.die, raw.die_"):
        McpEnvironment("raw", raw_server(), effects={"raw.nothing": "read"})


def test_a_server_is_started_with_the_given_variables_and_nothing_of_ours(tmp_path: Path) -> None:
    assert "PYTEST_CURRENT_TEST" in os.environ
    with McpEnvironment("raw", raw_server(KEY=secret(tmp_path), MODE="plain")) as raw:
        seen = json.loads(str(raw.call("raw.variables", {})))
    assert "PYTEST_CURRENT_TEST" not in seen
    assert (seen["KEY"], seen["MODE"]) == ("[secret]", "plain")  # what it hides is the secret itself


def test_a_secret_is_hidden_in_what_a_server_says_of_it(tmp_path: Path) -> None:
    with McpEnvironment("raw", raw_server(KEY=secret(tmp_path))) as raw:
        assert failure(raw, "raw.fail", text="key open-sesame refused") == ("ToolError", "key [secret] refused")


def test_a_missing_secret_is_named_by_its_reference() -> None:
    with pytest.raises(InputInvalid, match="the environment variable 'NO_SUCH_KEY' is not set"):
        McpEnvironment("raw", raw_server(KEY="env:NO_SUCH_KEY"))


def test_a_server_is_either_a_command_or_an_address() -> None:
    with pytest.raises(InputInvalid, match="one of the two"):
        McpServer(command=("x",), url="http://localhost")
    with pytest.raises(InputInvalid, match=r"'shop\.example' is no address of an MCP server"):
        McpServer(url="shop.example")
