"""Generated arguments: the same everywhere for the same input, and deep enough to reach what an id leads to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

from nucleate_codifier.admission.properties.draws import drawn
from nucleate_codifier.admission.properties.knowledge import known_schemas, known_values
from nucleate_codifier.admission.properties.properties import strategy_for
from nucleate_codifier.admission.properties.strategies import values_of
from nucleate_sandbox import JsonObject
from nucleate_tool_library import read_signature
from tests.codifier.shop import ANN, BOB, GOOD, SEARCH, subject

PROGRAM = """
import json, sys
{extra}
from nucleate_codifier.admission.properties.draws import drawn
from nucleate_codifier.admission.properties.strategies import values_of
schema = json.loads(sys.argv[1])
print(json.dumps(drawn(values_of(schema), 40, source="x"), sort_keys=True))
"""
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "price": {"type": "number", "minimum": 0},
        "name": {"type": "string"},
        "kind": {"enum": ["a", "b", "c"]},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["count", "price", "name", "kind", "tags"],
}


def drawn_elsewhere(folder: Path, *, extra: str = "", seed: str = "0") -> str:
    (folder / "constants.py").write_text("ODD = [7919, 'zebra', 3.25, 811, 997]\n", encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM.format(extra=extra), json.dumps(SCHEMA)]
    paths = json.dumps([str(folder), *sys.path])
    program = command[2].replace("import json, sys", f"import json, sys; sys.path[:] = {paths}", 1)
    done = subprocess.run(
        [command[0], "-c", program, command[3]],
        env={"PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
        cwd=folder,
    )
    return done.stdout.decode("utf-8")


def test_the_same_input_gives_the_same_values_whatever_else_is_loaded(tmp_path: Path) -> None:
    plain = drawn_elsewhere(tmp_path)
    assert len(json.loads(plain)) == 40
    assert drawn_elsewhere(tmp_path, extra="import constants, unittest.mock, xmlrpc.client", seed="7") == plain


def test_another_source_gives_other_values() -> None:
    strategy = values_of(SCHEMA)
    assert drawn(strategy, 20, source="x") == drawn(strategy, 20, source="x")
    assert drawn(strategy, 20, source="x") != drawn(strategy, 20, source="y")


def test_values_fit_their_schema() -> None:
    schemas: tuple[JsonObject, ...] = (
        {"type": "string", "format": "date"},
        {"type": "string", "minLength": 3, "maxLength": 5},
        {"type": "string", "pattern": "^#W[0-9]{7}$"},
        {"type": "integer", "exclusiveMinimum": 4, "maximum": 9},
        {"type": "number", "minimum": 2000},
        {"type": ["integer", "null"]},
        {"anyOf": [{"const": "x"}, {"type": "boolean"}]},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "uniqueItems": True},
        {"type": "object", "additionalProperties": {"type": "number"}},
    )
    for schema in schemas:
        validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
        made = drawn(values_of(schema), 15, source="x")
        assert made
        assert [value for value in made if not validator.is_valid(value)] == []


def test_what_the_environment_showed_under_a_parameters_name_is_known() -> None:
    assert known_values("customer", (ANN, BOB)) == ["ann", "bob"]
    assert known_values("order_id", (ANN, BOB)) == ["W101", "W102", "W103"]
    assert known_schemas("customer", (ANN, BOB), {SEARCH.name: SEARCH}) == ({"type": "string"},)


def test_a_tools_arguments_mix_recorded_ones_with_known_and_new_ones() -> None:
    given = subject()
    parameters = read_signature(GOOD, "refund_delivered").parameters
    made = drawn(strategy_for(given, parameters), 40, source=GOOD)
    customers = [item["customer"] for item in made]
    assert {"ann", "bob", "delivered", ""} <= {*customers}
    assert len([name for name in customers if name in ("ann", "bob")]) >= 10
