"""What a program computes and how it fails: the same on every sandbox."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Json, JsonObject, Limit, Outcome, Sandbox
from tests.contracts.sandbox_world import ENOUGH, call, module, shown

IDENTITY = "def tool(value):\n    return value\n"

VALUES: dict[str, Json] = {
    "null": None,
    "true": True,
    "false": False,
    "zero": 0,
    "negative": -17,
    "big integer": 2**200,
    "float": 3.25,
    "small float": 5e-324,
    "negative zero": -0.0,
    "whole float": 1.0,
    "empty text": "",
    "quotes": "a \"quoted\" 'text' \\ with\nlines\tand\x00zero",
    "chinese and japanese": "采购订单 注文書",
    "emoji": "👩‍🚀🇫🇷 é",
    "empty list": [],
    "empty object": {},
    "mixed list": [1, "a", None, True, 2.5, [], {}],
    "nested": {"offers": [{"id": 1, "tags": ["a", {"deep": [[[{"x": None}]]]}]}]},
    "odd keys": {"": 1, "a b": 2, "é": 3, "__class__": 4},
    "long text": "é" * 100_000,
    "long list": [*range(10_000)],
}

RESULTS: dict[str, tuple[str, Json]] = {
    "a default": ("def tool(a=2, b='x'):\n    return [a, b]", [2, "x"]),
    "a keyword-only argument": ("def tool(*, a: int = 4):\n    return a", 4),
    "keyword arguments": ("def tool(**rest):\n    return rest", {}),
    "no return": ("def tool():\n    pass", None),
    "tuples": ("def tool():\n    return (1, (2, 'a'), [(3,)])", [1, [2, "a"], [[3]]]),
    "a dataclass": (
        (
            "from dataclasses import dataclass\n@dataclass\nclass Offer:\n    id: int\n    tags: list[str]\n"
            "def tool():\n    return [Offer(1, ['a'])]"
        ),
        [{"id": 1, "tags": ["a"]}],
    ),
    "an asynchronous function": ("async def tool():\n    return 'done'", "done"),
    "a private helper": ("def _twice(x):\n    return 2 * x\ndef tool():\n    return _twice(_twice(3))", 12),
    "a constant of the module": ("LIMIT = 3\ndef tool():\n    return [LIMIT] * 2", [3, 3]),
    "a caught exception": (
        "def tool():\n    try:\n        return {}['a']\n    except KeyError as error:\n        return str(error)",
        "'a'",
    ),
    "finally": (
        "def tool():\n    seen = []\n    try:\n        seen.append(1)\n    finally:\n        seen.append(2)\n    return seen",
        [1, 2],
    ),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_a_json_value_passes_unchanged_in_and_out(sandbox: Sandbox, value: Json) -> None:
    outcome = call(sandbox, IDENTITY, value=value)
    assert outcome == Outcome(value=value)
    assert repr(outcome.value) == repr(value)


@pytest.mark.parametrize(("source", "value"), RESULTS.values(), ids=RESULTS.keys())
def test_a_function_returns_its_value(sandbox: Sandbox, source: str, value: Json) -> None:
    assert call(sandbox, source) == Outcome(value=value)


@pytest.mark.parametrize(
    ("expression", "failure"),
    [
        ("float('nan')", ("ValueError", "nan is not a JSON value")),
        ("[1, float('-inf')]", ("ValueError", "-inf is not a JSON value")),
        ("{1, 2}", ("TypeError", "a set is not a JSON value")),
        ("b'bytes'", ("TypeError", "a bytes is not a JSON value")),
        ("{'a': tool}", ("TypeError", "a function is not a JSON value")),
        ("{1: 2}", ("TypeError", "a key of type int is not a JSON key; use str")),
        ("{'a': 1}.items()", ("TypeError", "a dict_items is not a JSON value")),
    ],
)
def test_a_result_that_is_no_json_value_is_a_failure(
    sandbox: Sandbox, expression: str, failure: tuple[str, str]
) -> None:
    assert shown(call(sandbox, f"def tool():\n    return {expression}")) == failure


def test_a_result_that_holds_itself_is_a_failure(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "def tool():\n    a = []\n    a.append(a)\n    return a")
    assert shown(outcome) == ("ValueError", "the value is nested deeper than 60 levels")


FAILURES: dict[str, tuple[str, tuple[str, str], int]] = {
    "a missing key": ("def tool():\n    return {}['id']", ("KeyError", "'id'"), 2),
    "a missing index": ("def tool():\n    x = []\n    return x[3]", ("IndexError", "list index out of range"), 3),
    "a division": ("def tool():\n\n    return 1 / 0", ("ZeroDivisionError", "division by zero"), 3),
    "a raised error": ("def tool():\n    raise ValueError('no 漢字')", ("ValueError", "no 漢字"), 2),
    "a failed assertion": ("def tool():\n    assert 1 == 2, 'odd'", ("AssertionError", "odd"), 2),
    "an unknown name": ("def tool():\n    return missing", ("NameError", "name 'missing' is not defined"), 2),
    "a helper's error": (
        "def _inner():\n    raise LookupError('deep')\n\ndef tool():\n    return _inner()",
        ("LookupError", "deep"),
        2,
    ),
    "an unknown module": (
        "def tool():\n    import no_such_module",
        ("ModuleNotFoundError", "No module named 'no_such_module'"),
        2,
    ),
    "an error while loading": ("X = [][0]\ndef tool():\n    return X", ("IndexError", "list index out of range"), 1),
}


@pytest.mark.parametrize(("source", "failure", "line"), FAILURES.values(), ids=FAILURES.keys())
def test_an_exception_tells_kind_message_and_line(
    sandbox: Sandbox, source: str, failure: tuple[str, str], line: int
) -> None:
    outcome = call(sandbox, source)
    assert shown(outcome) == failure
    assert outcome.failure is not None
    assert f'File "tool.py", line {line}, in ' in outcome.failure.traceback
    assert (outcome.limit, outcome.failure.unsupported, outcome.failure.from_environment) == (None, False, False)


def test_a_traceback_holds_nothing_of_the_sandbox(sandbox: Sandbox) -> None:
    failure = call(sandbox, "def tool():\n    return 1 / 0").failure
    assert failure is not None
    assert [line for line in failure.traceback.splitlines() if "File" in line] == ['  File "tool.py", line 2, in tool']


def test_a_syntax_error_names_its_line(sandbox: Sandbox) -> None:
    failure = call(sandbox, "def tool():\n    return 1\n\ndef broken(:\n    pass").failure
    assert failure is not None
    assert failure.kind == "SyntaxError"
    assert 'File "tool.py", line 4' in failure.traceback


def test_a_missing_function_is_a_failure(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "def other():\n    return 1")
    assert shown(outcome) == ("NameError", "module 'tool' has no function 'tool'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "tool() missing 1 required positional argument: 'value'"),
        ({"value": 1, "extra": 2}, "tool() got an unexpected keyword argument 'extra'"),
    ],
)
def test_wrong_arguments_are_a_type_error(sandbox: Sandbox, arguments: JsonObject, message: str) -> None:
    with sandbox.open(limits=ENOUGH) as session:
        assert shown(session.call(module(IDENTITY), "tool", arguments)) == ("TypeError", message)


def test_dependencies_are_called_by_name_through_two_levels(sandbox: Sandbox) -> None:
    price = module("def _scale(x):\n    return x * 10\n\ndef price(x):\n    return _scale(x)", name="price")
    total = module(
        "def _scale(x):\n    return x + 1\n\ndef total(x):\n    return price(_scale(x))", price, name="total"
    )
    tool = module("def _scale(x):\n    return [x]\n\ndef tool(x):\n    return _scale(total(x))", price, total)
    with sandbox.open(limits=ENOUGH) as session:
        assert session.call(tool, "tool", {"x": 4}) == Outcome(value=[50])


def test_an_error_in_a_dependency_names_the_dependencys_file_and_line(sandbox: Sandbox) -> None:
    price = module("def price(x):\n    y = 1\n    return y / x", name="price")
    with sandbox.open(limits=ENOUGH) as session:
        failure = session.call(module("def tool(x):\n    return price(x=x)", price), "tool", {"x": 0}).failure
    assert failure is not None
    assert 'File "tool.py", line 2, in tool' in failure.traceback
    assert 'File "price.py", line 3, in price' in failure.traceback


def test_names_persist_between_runs_and_the_last_expression_is_the_value(sandbox: Sandbox) -> None:
    with sandbox.open(limits=ENOUGH) as session:
        assert session.run("x = 20\ndef twice(y):\n    return 2 * y") == Outcome()
        assert session.run("x += 1\ntwice(x)") == Outcome(value=42)


def test_a_failed_run_keeps_the_names_before_it(sandbox: Sandbox) -> None:
    with sandbox.open(limits=ENOUGH) as session:
        session.run("x = 1")
        assert shown(session.run("x = 2\nx / 0")) == ("ZeroDivisionError", "division by zero")
        assert session.run("x").value == 2


def test_a_run_that_ends_in_no_expression_has_no_value(sandbox: Sandbox) -> None:
    with sandbox.open(limits=ENOUGH) as session:
        assert session.run("y = 3\nfor i in range(2):\n    y += i") == Outcome()


def test_a_syntax_error_in_a_run_leaves_the_session_usable(sandbox: Sandbox) -> None:
    with sandbox.open(limits=ENOUGH) as session:
        assert shown(session.run("1 +"))[0] == "SyntaxError"
        assert session.run("1 + 1").value == 2


def test_no_state_passes_from_call_to_call(sandbox: Sandbox) -> None:
    tool = module("SEEN = []\n\ndef tool():\n    SEEN.append(1)\n    return len(SEEN)")
    with sandbox.open(limits=ENOUGH) as session:
        assert [session.call(tool, "tool", {}).value for _ in range(3)] == [1, 1, 1]


def test_no_state_passes_between_runs_and_calls(sandbox: Sandbox) -> None:
    with sandbox.open(limits=ENOUGH) as session:
        session.run("leak = 1")
        assert shown(session.call(module("def tool():\n    return leak"), "tool", {}))[0] == "NameError"
        assert session.run("leak").value == 1


def test_no_state_passes_from_session_to_session(sandbox: Sandbox) -> None:
    with sandbox.open(limits=ENOUGH) as one:
        one.run("leak = 1")
    with sandbox.open(limits=ENOUGH) as two:
        assert shown(two.run("leak"))[0] == "NameError"


def test_a_huge_integer_is_refused_and_not_cut(sandbox: Sandbox) -> None:
    outcome = call(sandbox, "def tool():\n    return 10 ** 5000")
    assert (outcome.value, outcome.ok) == (None, False)
    assert outcome.limit in (None, Limit.RESULT)
