"""The closure gate: names, environment functions and tools, exact under Python's scopes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_codifier.admission.closure_gate import closure_gate
from nucleate_codifier.admission.reading.references import capabilities_of, dependencies_of
from nucleate_codifier.admission.reading.source import read
from nucleate_codifier.values import Finding, LibraryView
from tests.codifier.static_subject import HOSTILE, LIBRARY, body, found, judge, subject, tool

KNOWN = {
    "parameters and locals": "m = n\nreturn m",
    "builtins": "return len(str(abs(n)))",
    "the harness": "try:\n    return env.shop.get_order(order_id=n)['id']\nexcept FunctionError:\n    return 0",
    "a library tool": "return double(n)",
    "a tool as a value": "return sum(map(double, [n]))",
    "its own name": "return tool(n - 1)",
    "a comprehension": "return sum(a + b for a in [n] for b in [a])",
    "a nested function": "def inner(k: int) -> int:\n    return k + n\nreturn inner(1)",
    "a lambda": "return (lambda a, *b, c=n, **d: a + c)(1)",
    "a walrus in a comprehension": "return [last := k for k in [n]][0] + last",
    "except as": "try:\n    return n\nexcept ValueError as error:\n    return len(error.args)",
    "with as": "with open('x') as f:\n    return len(f.read())",
    "match captures": (
        "match n:\n    case {'a': a, **rest}:\n        return a + len(rest)\n"
        "    case [x, *xs] as whole:\n        return x + len(xs) + len(whole)\nreturn n"
    ),
    "unpacking": "(a, *b), c = [n], n\nreturn a + len(b) + c",
    "an import inside": "import os.path as p\nfrom math import sqrt as root\nimport json.decoder\nreturn p, root, json",
    "a class inside": "class A:\n    x = n\n    y = x\nreturn A",
    "a local used before it is bound elsewhere": "if n:\n    k = 1\nreturn k",
}


@pytest.mark.parametrize("case", KNOWN)
def test_known_names_pass(case: str) -> None:
    assert judge(closure_gate, body(KNOWN[case])) == []


UNKNOWN = {
    "a plain name": ("return mm", [("closure/unknown-name", 3)]),
    "a comprehension's name outside": ("[k for k in [n]]\nreturn k", [("closure/unknown-name", 4)]),
    "the first iterable": ("return [k for k in k]", [("closure/unknown-name", 3)]),
    "a nested function's local": ("def f() -> None:\n    k = 1\nreturn k", [("closure/unknown-name", 5)]),
    "a lambda's parameter outside": ("f = lambda k: k\nreturn k", [("closure/unknown-name", 4)]),
    "a class's name in its method": (
        "class A:\n    x = n\n    def f(self) -> int:\n        return x\nreturn A",
        [("closure/unknown-name", 6)],
    ),
    "a default": ("def f(a: int = k) -> None: ...\nreturn f", [("closure/unknown-name", 3)]),
    "an annotation": ("k: Nope = n\nreturn k", [("closure/unknown-name", 3)]),
    "a decorator": ("@nope\ndef f() -> None: ...\nreturn f", [("closure/unknown-name", 3)]),
    "the interactive interpreter's": ("exit()\nreturn n", [("closure/unknown-name", 3)]),
    "an unknown function": ("return env.shop.get_ordr(order_id=n)", [("closure/unknown-function", 3)]),
    "a namespace that is called": ("return env.shop()", [("closure/unknown-function", 3)]),
    "env that is called": ("return env()", [("closure/unknown-function", 3)]),
    "an alias of env": ("e = env\nreturn e.shop.get_order(order_id=n)", [("closure/env-alias", 3)]),
    "a stored function": ("f = env.shop.get_order\nreturn f(order_id=n)", [("closure/env-alias", 3)]),
    "env as an argument": ("return getattr(env, 'shop')", [("closure/env-alias", 3)]),
    "env in a lambda": ("return (lambda: env.shop.get_order)()(order_id=n)", [("closure/env-alias", 3)]),
    "env in a nested comprehension": (
        "return [[env.shop.nope(a=b) for b in a] for a in [[n]]]",
        [("closure/unknown-function", 3)],
    ),
    "a positional argument": ("return env.shop.get_order(n)", [("closure/positional-argument", 3)]),
    "star arguments": ("return env.shop.get_order(**{'order_id': n})", [("closure/star-argument", 3)]),
    "an archived tool": ("return old_total(n)", [("closure/unusable-tool", 3)]),
    "all of them": (
        "old_total(n)\nenv.shop.nope(n)\nreturn nope",
        [
            ("closure/unusable-tool", 3),
            ("closure/unknown-function", 4),
            ("closure/positional-argument", 4),
            ("closure/unknown-name", 5),
        ],
    ),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_is_not_there_is_found_at_its_line(case: str) -> None:
    source, expected = UNKNOWN[case]
    assert judge(closure_gate, body(source)) == expected


def test_a_finding_proposes_the_nearest_names() -> None:
    assert closure_gate(subject(body("return env.shop.get_ordr(order_id=doubel(n))"))).findings == (
        Finding(
            rule="closure/unknown-name", line=3, message="nothing here is named 'doubel'", fix="did you mean double?"
        ),
        Finding(
            rule="closure/unknown-function",
            line=3,
            message="the environment has no function 'shop.get_ordr'",
            fix="did you mean shop.get_order, shop.delete_order, shop.list_orders?",
        ),
    )


def test_an_unusable_tool_is_named_with_its_state() -> None:
    assert [item.message for item in closure_gate(subject(body("return odd_total(n)"))).findings] == [
        "the tool 'odd_total' is suspect"
    ]


def test_a_cycle_through_the_library_is_named() -> None:
    own = tool("tool")
    caller = replace(tool("caller"), dependencies=(own.id,))
    library = LibraryView(tools={"tool": own, "caller": caller})
    result = closure_gate(subject(body("return caller(n)"), library=library))
    assert [(item.rule, item.message) for item in result.findings] == [
        ("closure/recursion", "the tool 'caller' already calls 'tool'")
    ]


def test_a_dependency_on_a_version_that_is_gone_is_named() -> None:
    caller = replace(tool("caller"), dependencies=("f" * 64,))
    result = closure_gate(subject(body("return caller(n)"), library=LibraryView(tools={"caller": caller})))
    assert [(item.rule, item.message) for item in result.findings] == [
        ("closure/missing-version", "the tool 'caller' needs version ffffffffffff, which is not in force")
    ]


def test_capabilities_are_those_of_the_candidate_and_of_its_closure() -> None:
    base = replace(tool("base"), capabilities=("mail.send",))
    caller = replace(tool("caller"), dependencies=(base.id,), capabilities=("shop.list_orders",))
    library = LibraryView(tools={"base": base, "caller": caller, "other": tool("other")})
    judged = subject(body("return caller(env.shop.get_order(order_id=n)['id'])"), library=library)
    assert capabilities_of(judged) == ("mail.send", "shop.get_order", "shop.list_orders")
    assert dependencies_of(judged) == (caller.id,)


def test_a_shadowed_tool_is_no_dependency() -> None:
    assert dependencies_of(subject(body("double = n\nreturn double"))) == ()
    assert dependencies_of(subject(body("return double(n)"))) == (LIBRARY.tools["double"].id,)


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_source_never_crashes(case: str) -> None:
    result = closure_gate(subject(HOSTILE[case]))
    assert all(rule.startswith("closure/") for rule, _ in found(result))


def test_capabilities_are_still_read_after_many_other_sources() -> None:
    candidate = subject(body("return env.shop.get_order(order_id=n)['id']"))
    before = capabilities_of(candidate)
    for number in range(200):
        read(body(f"return n + {number}"))
    assert (before, capabilities_of(candidate)) == (("shop.get_order",), ("shop.get_order",))
