"""An MCP server's tool list as functions: names, schemas, and annotations as effects."""

from __future__ import annotations

import json

import pytest

from nucleate.environments import read_functions
from nucleate_sandbox import Effect, JsonObject

SCHEMA: JsonObject = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def _tool(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "description": f"{name}.", "inputSchema": SCHEMA, **more}


@pytest.mark.parametrize(
    ("annotations", "effect"),
    [
        ({"readOnlyHint": True}, Effect.READ),
        ({"readOnlyHint": False, "destructiveHint": False}, Effect.WRITE),
        ({"readOnlyHint": False}, Effect.DESTRUCTIVE),
        ({"readOnlyHint": "yes"}, Effect.DESTRUCTIVE),
        ({}, Effect.DESTRUCTIVE),
    ],
)
def test_annotations_become_effects_and_silence_counts_as_the_protocol_says(
    annotations: dict[str, object], effect: Effect
) -> None:
    text = json.dumps({"tools": [_tool("files", annotations=annotations)]})
    assert read_functions(text, environment="disk").functions["disk.files"].effect is effect


def test_a_whole_reply_of_the_server_is_read_too() -> None:
    result = {"tools": [_tool("list-files", outputSchema={"type": "object"})]}
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result})
    spec = read_functions(text, environment="disk").functions["disk.list_files"]
    assert (spec.doc, spec.parameters, spec.returns) == ("list-files.", SCHEMA, {"type": "object"})


def test_two_names_that_read_alike_stay_two() -> None:
    text = json.dumps({"tools": [_tool("list-files"), _tool("list_files")]})
    read = read_functions(text, environment="disk")
    assert sorted(read.functions) == ["disk.list_files", "disk.list_files_a8a083"]
