"""The benchmark's function documents become JSON schemas."""

from __future__ import annotations

from evals.bfcl_functions import function_spec
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
