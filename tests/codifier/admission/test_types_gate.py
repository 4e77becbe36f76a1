"""The types gate: what the schemas and signatures say, mypy holds the candidate to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from nucleate_codifier.admission.running.bench import GateTimeout
from nucleate_codifier.admission.typing.stubs import environment_stub, library_stub
from nucleate_codifier.admission.typing.types_gate import typing_gate
from nucleate_codifier.values import AdmissionPolicy, Finding, LibraryView
from nucleate_sandbox import FunctionSpec, Json, JsonObject
from tests.codifier.static_subject import HOSTILE, body, found, judge, subject, tool

ANY = "from typing import Any\n"
GOOD = {
    "an exact result": "return env.shop.get_order(order_id=n)['id']",
    "a plain dictionary": (
        'order: dict[str, Any] = env.shop.get_order(order_id=n)\nnumber: int = order["id"]\nreturn number'
    ),
    "a list of dictionaries": (
        'orders: list[dict[str, Any]] = env.shop.list_orders(status="open")["orders"]\nreturn len(orders)'
    ),
    "an untyped result": "return env.misc.anything()['x']['y']",
    "a caught error": "try:\n    return n\nexcept FunctionError as error:\n    return len(error.kind + error.message)",
    "a library tool": "return double(n) + double(n=n)",
    "a loop": (
        'total = 0\nfor order in env.shop.list_orders(status="sent")["orders"]:\n'
        '    total += len(order.get("note", ""))\nreturn total'
    ),
}


@pytest.mark.parametrize("case", GOOD)
def test_a_tool_that_agrees_with_the_schemas_passes(case: str) -> None:
    assert typing_gate(subject(body(GOOD[case], header=ANY))).findings == ()


BAD = {
    "an unknown function": ("return env.shop.get_ordr(order_id=n)", [("types/attr-defined", 4)]),
    "an unknown namespace": ("return env.shp.get_order(order_id=n)", [("types/attr-defined", 4)]),
    "an unknown argument": ("return env.shop.get_order(id=n)['id']", [("types/call-arg", 4)]),
    "a missing argument": ("return env.shop.get_order()['id']", [("types/call-arg", 4)]),
    "a wrong type": ("return env.shop.get_order(order_id='7')['id']", [("types/arg-type", 4)]),
    "a wrong choice": ("return len(env.shop.list_orders(status='opne'))", [("types/arg-type", 4)]),
    "an unknown field": ("x = n\nreturn env.shop.get_order(order_id=x)['nr']", [("types/typeddict-item", 5)]),
    "an unknown field of an element": (
        "return [o['nr'] for o in env.shop.list_orders(status='open')['orders']][0]",
        [("types/typeddict-item", 4)],
    ),
    "a wrong result": ("return env.shop.get_order(order_id=n)", [("types/return-value", 4)]),
    "a wrong argument of a tool": ("return double('x')", [("types/arg-type", 4)]),
    "no check for None": ("import re\nreturn len(re.match('a', 'b').group())", [("types/union-attr", 5)]),
    "an untyped helper": (
        "def f(a):\n    return a\nreturn f(n)",
        [("types/no-untyped-def", 4), ("types/no-untyped-call", 6)],
    ),
    "a bare list": ("x: list = []\nreturn len(x)", [("types/type-arg", 4)]),
    "a silenced error": ("return 'x'  # type: ignore", [("types/return-value", 4)]),
    "a comment to the checker": ("# mypy: ignore-errors\nreturn 'x'", [("types/return-value", 5)]),
}


@pytest.mark.parametrize("case", BAD)
def test_what_the_schemas_do_not_say_is_found_at_its_line(case: str) -> None:
    source, expected = BAD[case]
    assert judge(typing_gate, body(source, header=ANY)) == expected


WRONG = [("types/return-value", 3)]
PRELUDES = {
    "nothing": "",
    "a docstring": '"""A\nmodule."""\n',
    "a future import": "from __future__ import annotations\n",
    "both": '"""A module."""\n\nfrom __future__ import annotations\n\nimport re\n',
    "both on one line": '"""A module."""; from __future__ import annotations; X = """\n"""\n',
}


@pytest.mark.parametrize("case", PRELUDES)
def test_lines_are_those_of_the_candidate(case: str) -> None:
    header = PRELUDES[case]
    assert judge(typing_gate, body("return 'x'", header=header)) == [("types/return-value", header.count("\n") + 3)]


def test_a_finding_says_what_is_near_and_what_to_do() -> None:
    assert typing_gate(subject(body("return env.shop.get_ordr(order_id=n)"))).findings == (
        Finding(
            rule="types/attr-defined",
            line=3,
            message='"Env_shop" has no attribute "get_ordr"; maybe "get_order"?',
            fix="Use a name that exists; the message proposes one where there is one near.",
        ),
    )


def test_a_tool_with_types_of_its_own_is_checked_by_its_schema() -> None:
    library = LibraryView(tools={"pick": tool("pick", parameters="kind: str, *, most: int = 1", returns="list[float]")})
    assert found(typing_gate(subject(body("return pick('a', most=2)[0]", returns="float"), library=library))) == []
    assert found(typing_gate(subject(body("return pick('a', 2)[0]", returns="float"), library=library))) == [
        ("types/call-arg", 3)
    ]


def test_sources_of_one_size_are_told_apart() -> None:
    good, bad = body("return 11"), body("return ''")
    assert len(good) == len(bad)
    assert [judge(typing_gate, text) for text in (good, bad, good, bad)] == [[], WRONG, [], WRONG]


# Each lambda in a generic call is inferred twice for the one around it.
BOMB = f"return len({'list(map(lambda a: ' * 4}str(a){', [n]))' * 4})"


def test_several_threads_share_one_checker() -> None:
    sources = [body(text, header=ANY) for text, _ in BAD.values()]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: judge(typing_gate, text), sources)) == [rules for _, rules in BAD.values()]


def test_a_check_that_takes_too_long_is_stopped_and_the_next_one_is_answered() -> None:
    with pytest.raises(GateTimeout):
        typing_gate(subject(body(BOMB), policy=AdmissionPolicy(gate_seconds=0.3)))
    assert judge(typing_gate, body("return 'x'")) == WRONG


ESCAPES = {
    "a local dictionary of anything": (
        "order: dict[str, Any] = env.shop.get_order(order_id=n)\nreturn len(order['nr'])",
        [("types/typeddict-item", 5)],
    ),
    "a list of anything": (
        "orders: list[Any] = env.shop.list_orders(status='open')['orders']\nreturn len(orders[0]['nr'])",
        [("types/typeddict-item", 5)],
    ),
    "a local of any type": ("order: Any = n\nreturn len(order.x)", [("types/any", 4)]),
    "a helper's parameter": ("def f(a: Any) -> int:\n    return 1\nreturn f(n)", [("types/any", 4)]),
    "a helper's result": ("def f() -> Any:\n    return 1\nreturn 1", [("types/any", 4)]),
    "any in quotes": ("def f() -> 'Any':\n    return 1\nreturn 1", [("types/any", 4)]),
    "a cast": ("from typing import cast\nreturn cast(int, n)", [("types/redundant-cast", 5)]),
    "an impossible choice": (
        "return int(env.shop.get_order(order_id=n)['status'] == 'opne')",
        [("types/comparison-overlap", 4)],
    ),
}


@pytest.mark.parametrize("case", ESCAPES)
def test_a_way_round_the_types_is_closed(case: str) -> None:
    source, expected = ESCAPES[case]
    assert judge(typing_gate, body(source, header=ANY)) == expected


def test_a_dictionary_that_the_tool_fills_keeps_its_own_type() -> None:
    text = "order: dict[str, Any] = env.shop.get_order(order_id=n)\norder['nr'] = 1\nreturn len(order['nr'])"
    assert judge(typing_gate, body(text, header=ANY)) == []


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_source_never_crashes(case: str) -> None:
    assert all(rule.startswith("types/") for rule, _ in judge(typing_gate, HOSTILE[case]))


def test_odd_schemas_give_a_stub_that_parses() -> None:
    spec = FunctionSpec(
        name="odd.function",
        parameters={
            "type": "dict",
            "properties": {
                "class": {"type": "string"},
                "self": {"type": ["string", "null"]},
                "one": {"enum": ["a", None, 1]},
                "two": {"enum": [1.5]},
                "tree": {"$ref": "#/$defs/Tree"},
                "map": {"type": "object", "additionalProperties": {"type": "integer"}},
                "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
            },
            "required": ["self"],
            "$defs": {"Tree": {"type": "object", "properties": {"sub-trees": {"$ref": "#/$defs/Tree"}}}},
        },
        returns={"anyOf": [{"type": "object", "properties": {"a b": {}}}, {"type": "null"}]},
    )
    parameters = (
        "self: _b.str | None, one: _t.Literal['a', None, 1] = ..., two: _t.Any = ..., tree: OddFunction_tree_0 = ..., "
        "map: _b.dict[_b.str, _b.int] = ..., pair: _b.tuple[_b.int, _b.str] | _b.list[_t.Any] = ..., **_more: _t.Any"
    )
    assert environment_stub([spec, FunctionSpec(name="no-name.at all")], exact=True).splitlines()[8:] == [
        'OddFunction_tree_0 = _t.TypedDict("OddFunction_tree_0", {"sub-trees": _t.NotRequired[_t.Any]})',
        'OddFunction_1 = _t.TypedDict("OddFunction_1", {"a b": _t.NotRequired[_t.Any]})',
        "class Env_odd:",
        "    @_b.staticmethod",
        f"    def function(*, {parameters}) -> OddFunction_1 | None: ...",
        "class Env:",
        "    odd: Env_odd",
        "env: Env",
    ]


def test_a_library_stub_keeps_the_kinds_of_parameters() -> None:
    signature = tool("pick", parameters="kind: str, *, most: int = 1", returns="dict[str, int] | None").signature
    assert library_stub([signature], exact=True).splitlines()[3:] == [
        "def pick(kind: _b.str, *, most: _b.int=...) -> _b.dict[_b.str, _b.int] | None:",
        "    ...",
    ]


SCHEMAS: dict[str, tuple[JsonObject, str]] = {
    "a nullable text": ({"type": "string", "nullable": True}, "_b.str | None"),
    "a nullable choice": ({"type": "string", "enum": ["a"], "nullable": True}, "_t.Literal['a'] | None"),
    "a constant": ({"const": "open"}, "_t.Literal['open']"),
    "one part of all": ({"allOf": [{"type": "integer"}]}, "_b.int"),
    "a list of unions": (
        {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
        "_b.list[_b.int | None]",
    ),
    "a list of lists": (
        {"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}},
        "_b.list[_b.list[_b.bool]]",
    ),
}


@pytest.mark.parametrize("case", SCHEMAS)
def test_a_schema_becomes_the_annotation_that_says_the_same(case: str) -> None:
    schema, annotation = SCHEMAS[case]
    stub = environment_stub([FunctionSpec(name="a.f", returns=schema)], exact=True)
    assert f"    def f() -> {annotation}: ..." in stub.splitlines()


def test_the_fields_of_all_parts_are_in_one_dictionary() -> None:
    parts: list[Json] = [
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"properties": {"b": {"type": "object", "properties": {"c": {"type": "string"}}}}},
    ]
    assert environment_stub([FunctionSpec(name="a.f", returns={"allOf": parts})], exact=True).splitlines()[8:10] == [
        'AF_b_0 = _t.TypedDict("AF_b_0", {"c": _t.NotRequired[_b.str]})',
        'AF_1 = _t.TypedDict("AF_1", {"a": _b.int, "b": _t.NotRequired[AF_b_0]})',
    ]
