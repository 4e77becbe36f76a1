"""Result types that are read off recorded answers."""

from __future__ import annotations

import pytest

from nucleate_codifier.trace.annotations import annotation
from nucleate_codifier.trace.answers import schema_of, with_answers
from nucleate_codifier.values import Example
from nucleate_sandbox import Call, Failure, FunctionSpec, Json


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", "b"], "str"),
        ([1, 2.5], "float"),
        ([{"a": 1}, {"b": "x"}], "dict[str, Any]"),
        ([[{"a": 1}], []], "list[dict[str, Any]]"),
        ([{"a": 1}, None], "dict[str, Any] | None"),
        ([], "Any"),
    ],
    ids=["texts", "numbers", "objects", "lists", "nothing", "no answer"],
)
def test_a_type_fits_every_answer_and_says_nothing_of_the_keys(values: list[Json], kind: str) -> None:
    assert annotation(schema_of(values)) == kind


def test_only_a_function_without_a_schema_is_described_by_its_answers_and_errors_do_not_count() -> None:
    functions = {
        "desk.find": FunctionSpec(name="desk.find"),
        "desk.show": FunctionSpec(name="desk.show", returns={"type": "object"}),
        "desk.close": FunctionSpec(name="desk.close"),
    }
    calls = (
        Call(function="desk.find", arguments={}, result="id"),
        Call(function="desk.find", arguments={}, error=Failure(kind="NotFound", message="no such user")),
        Call(function="desk.show", arguments={}, result="a text"),
    )
    example = Example(task_id="task-1", query="q", arguments={}, result=None, calls=calls)
    described = with_answers(functions, [example])
    assert [spec.returns for spec in described.values()] == [{"anyOf": [{"type": "string"}]}, {"type": "object"}, {}]
