"""Syntax of Python 3.12 to 3.14: decided by the table where the interpreter knows it, named where it does not."""

from __future__ import annotations

import sys

import pytest

from nucleate_codifier.admission.parse_gate import parse_gate
from nucleate_codifier.admission.policy.grammar import why_not
from tests.codifier.constructs.samples import policy
from tests.codifier.static_subject import body, subject

OLDER = sys.version_info < (3, 12)
ALLOWED = [
    "type A = list[int]\nk: A = [n]\nreturn k",
    "def f[T: int, *A, **P](a: T) -> T:\n    return a\nreturn f(n)",
    "return f'{'\\n'.join(['a'])}'",
    "return f'{f'{n}'}'",
    "return f'{{}['a']}'",
]
REFUSED = [
    ("type A = eval\nreturn n", [("policy/builtin", 1)]),
    ("def f[T: n.__class__](a: T) -> T: ...\nreturn f", [("policy/attribute", 1)]),
    ("return f'{'a'.__class__}'", [("policy/attribute", 1)]),
]
NAMED = [
    ("type A = list[int]", "a `type` statement (3.12)"),
    ("def f[T](a: T) -> T: ...", "type parameters in brackets (3.12)"),
    ("return f'{'a'}'", "quotes or backslashes within an f-string (3.12)"),
    ("return t'{n}'", "a template string (3.14)"),
]
CHOSEN = ["TypeAlias", "TypeVar", "TypeVarTuple", "ParamSpec"]


@pytest.mark.skipif(OLDER, reason="this Python does not parse it")
@pytest.mark.parametrize("sample", ALLOWED)
def test_newer_constructs_that_only_describe_pass(sample: str) -> None:
    assert policy(sample) == []


@pytest.mark.skipif(OLDER, reason="this Python does not parse it")
@pytest.mark.parametrize(("sample", "findings"), REFUSED)
def test_newer_constructs_obey_the_same_rules(sample: str, findings: list[tuple[str, int]]) -> None:
    assert policy(sample) == findings


@pytest.mark.skipif(not OLDER, reason="this Python parses it")
@pytest.mark.parametrize(("sample", "what"), NAMED)
def test_syntax_that_is_newer_than_the_judge_is_named(sample: str, what: str) -> None:
    (finding,) = parse_gate(subject(body(sample))).findings
    assert (finding.rule, finding.line) == ("parse/newer-syntax", 3)
    assert finding.message.endswith(f"by which tools are judged; it may be {what}")


@pytest.mark.parametrize("node", CHOSEN)
def test_nodes_of_later_versions_that_only_describe_are_allowed_by_name(node: str) -> None:
    assert why_not(node) is None


@pytest.mark.parametrize("node", ["TemplateStr", "Interpolation"])
def test_template_strings_are_refused_by_name(node: str) -> None:
    assert why_not(node) == "a template string hands values to code that nobody has judged"


def test_a_node_of_a_future_version_is_refused() -> None:
    assert why_not("GotoStatement") == "nobody has decided about it yet"
