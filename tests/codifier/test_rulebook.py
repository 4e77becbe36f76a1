"""The rulebook: every rule that a gate names is explained, and the examples of the static gates are true."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from nucleate_codifier.admission.closure_gate import closure_gate
from nucleate_codifier.admission.generality.generality_gate import generality_gate
from nucleate_codifier.admission.parse_gate import parse_gate
from nucleate_codifier.admission.policy.policy_gate import policy_gate
from nucleate_codifier.admission.speech.safety_gate import safety_gate
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.admission.typing.types_gate import typing_gate
from nucleate_codifier.rulebook import RULES, UnknownRule, explain
from nucleate_codifier.rulebook.__main__ import main
from nucleate_codifier.rulebook.book import read
from nucleate_codifier.rulebook.documentation import fill, pages, render
from nucleate_codifier.values import Evidence, Example, LibraryView
from nucleate_sandbox import Call
from tests.codifier.emitted_rules import emitted, words
from tests.codifier.static_subject import FUNCTIONS, LIBRARY, body, subject, tool
from tests.project.places import ROOT

GATES = {
    "parse": parse_gate,
    "policy": policy_gate,
    "closure": closure_gate,
    "types": typing_gate,
    "generality": generality_gate,
    "safety": safety_gate,
}
RUNS = (("Order 4711, please", 4711), ("The bill of a customer", 8151))
CALLS = tuple(Call(function=name, arguments={}) for name in FUNCTIONS if name != "mail.send")
EVIDENCE = Evidence(
    seen=tuple(Example(task_id=str(n), query=query, arguments={"n": n}, result=None, calls=CALLS) for query, n in RUNS)
)
SHARED = ("/outage", "/fault", "/timeout", "/needs-docker")
# What the example cannot show without its evidence, or its thousand lines, has a test of its own.
ELSEWHERE = frozenset(
    {
        "parse/size",
        "parse/file",
        "parse/newer-syntax",
        "closure/needless-lock",
        "generality/same-behaviour",
        "generality/same-words",
        "generality/too-few-queries",
        "generality/constant-parameters",
        "generality/own-entity",
        "generality/picked-row",
    }
)
SHOWN = [key for key in RULES if key.partition("/")[0] in GATES and not key.endswith(SHARED) and key not in ELSEWHERE]
JUDGED = {*GATES, "compile", "tests"}
TESTED = [key for key in RULES if RULES[key].gate in JUDGED and not key.endswith(SHARED) and key not in SHOWN]


def test_every_rule_that_the_source_names_is_explained() -> None:
    assert sorted(emitted() - set(RULES)) == []


def test_every_rule_that_is_explained_is_named_by_the_source() -> None:
    known = words()
    own = [key for key in RULES if not key.startswith("types/")]  # these are mypy's names
    assert [key for key in own if key.partition("/")[2] not in known] == []


@pytest.mark.parametrize("rule_id", SHOWN)
def test_the_first_example_is_refused_by_the_rule(rule_id: str) -> None:
    assert rule_id in _rules(rule_id, RULES[rule_id].bad)


@pytest.mark.parametrize("rule_id", SHOWN)
def test_nothing_is_found_in_the_second_example(rule_id: str) -> None:
    assert _rules(rule_id, RULES[rule_id].good) == []


def test_every_other_rule_is_named_by_a_test() -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("*.py"))]
    everything = "\n".join(text for text in texts if "ELSEWHERE = " not in text)
    names = {key: f'"{key.partition("/")[2]}"' for key in TESTED}
    assert [key for key in TESTED if key not in everything and names[key] not in everything] == []


@pytest.mark.parametrize("rule_id", RULES)
def test_a_rule_is_explained_in_whole_sentences(rule_id: str) -> None:
    rule = explain(rule_id)
    assert [text for text in (rule.what, rule.why, rule.fix) if not text.rstrip("`").endswith((".", "?"))] == []


def test_an_unknown_rule_names_the_nearest() -> None:
    with pytest.raises(UnknownRule, match="no rule named 'policy/imprt'; did you mean policy/import"):
        explain("policy/imprt")
    with pytest.raises(UnknownRule, match=r"no rule named 'zzz'; docs/gates lists all rules"):
        explain("zzz")
    with pytest.raises(UnknownRule, match="did you mean safety/secret"):
        explain("secret")


def test_a_section_without_all_its_parts_is_named() -> None:
    with pytest.raises(ValueError, match="the rule 'policy/new' needs a first paragraph"):
        list(read("# Policy\n\n## policy/new\n\nSomething.\n"))


@pytest.mark.parametrize("page", pages())
def test_the_documentation_is_current(page: str) -> None:
    text = (ROOT / "docs" / "gates" / f"{page}.md").read_text(encoding="utf-8")
    assert fill(page, text) == text, "run: python -m nucleate_codifier.rulebook docs/gates"


def test_every_rule_stands_on_a_page() -> None:
    whole = "".join(map(render, pages()))
    assert [rule for rule in RULES if rule not in whole] == []


def test_a_page_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="the page 'parse' needs the two lines"):
        fill("parse", "# A page\n")
    assert main([]) == 2


def _rules(rule_id: str, example: str) -> list[str]:
    gate = rule_id.partition("/")[0]
    return [finding.rule for finding in GATES[gate](_subject(example)).findings]


def _subject(example: str) -> Subject:
    """Return a subject of an example: a whole module, or the lines of a tool's body."""
    whole = any(line.startswith(("def ", "# -*-", "# ///")) and "f()" not in line for line in example.splitlines())
    source = example if whole and "\nreturn" not in example else body(example, header="from typing import Any\n")
    return subject(source, name=_name(source), library=_library(), evidence=EVIDENCE)


def _name(source: str) -> str:
    try:
        functions = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    except SyntaxError:
        functions = []
    return next((name for name in functions if not name.startswith("_")), "tool")


def _library() -> LibraryView:
    own = tool("tool", body="return n + 4")
    caller = replace(tool("caller", body="return n + 2"), dependencies=(own.id,))
    stale = replace(tool("stale", body="return n + 3"), dependencies=("f" * 64,))
    others = {version.name: version for version in (own, caller, stale)}
    return replace(LIBRARY, tools={**LIBRARY.tools, **others})
