"""The benchmark's function documents become JSON schemas."""

from __future__ import annotations

from evals.bfcl.functions import function_spec
from nucleate_sandbox import Effect, FunctionSpec


def test_a_document_becomes_a_specification_in_json_schema() -> None:
    row = {
        "name": "find",
        "description": "This tool belongs to the file system. Tool description: Find files.",
        "parameters": {
            "type": "dict",
            "properties": {
                "type": {"type": "string", "description": "What to find."},
                "sizes": {"type": "array", "items": {"type": "float"}, "default": None},
            },
            "required": ["type"],
        },
        "response": {"type": "dict", "properties": {"matches": {"type": "any"}}},
    }
    assert function_spec("files", row) == FunctionSpec(
        name="files.find",
        doc="Find files.",
        parameters={
            "type": "object",
            "properties": {
                "type": {"type": "string", "description": "What to find."},
                "sizes": {"type": "array", "items": {"type": "number"}, "default": None},
            },
            "required": ["type"],
        },
        returns={"type": "object", "properties": {"matches": {}}},
        effect=Effect.READ,
    )


def test_a_function_that_is_in_no_table_of_reads_writes() -> None:
    row = {"name": "mkdir", "description": "", "parameters": {"type": "dict"}, "response": {"type": "dict"}}
    assert function_spec("files", row).effect is Effect.WRITE


def test_values_that_are_listed_in_the_description_become_an_enumeration() -> None:
    described = {
        "mode": {"type": "string", "description": 'The mode. [Enum]: ["START", "STOP"]'},
        "doors": {"type": "array", "items": {"type": "string"}, "description": 'Which. [Enum]: ["left"]'},
        "town": {"type": "string", "description": "The town. [Enum]: Rivermist, Stonebrook"},
    }
    row = {"name": "go", "description": "", "parameters": {"type": "dict", "properties": described}, "response": {}}
    assert function_spec("vehicle", row).parameters["properties"] == {
        "mode": {"description": "The mode.", "type": "string", "enum": ["START", "STOP"]},
        "doors": {"description": "Which.", "type": "array", "items": {"type": "string", "enum": ["left"]}},
        "town": {"description": "The town.", "type": "string", "enum": ["Rivermist", "Stonebrook"]},
    }
