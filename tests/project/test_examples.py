"""`examples/`: the good tools are admitted, and each of the others is refused by the rule that its name says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from nucleate.environments import read_functions
from nucleate_codifier.repository import (
    DescribedFunctions,
    JudgedTool,
    JudgingSetup,
    NoVerdicts,
    graph_of,
    judge_tools,
    open_repository,
)
from nucleate_codifier.rulebook import RULES
from nucleate_codifier.values import Decision
from nucleate_sandbox import DockerSandbox, Sandbox
from tests.doubles import InProcessSandbox
from tests.project.places import ROOT

FOLDER = ROOT / "examples"
GOOD = sorted(path.stem for path in FOLDER.glob("good/*.py") if not path.name.startswith("test_"))
REFUSED = sorted(path.stem for path in FOLDER.glob("refused/*.py") if path.with_suffix(".examples.jsonl").exists())
DYNAMIC = ("compile", "tests", "replay")
STATIC = [name for name in REFUSED if not name.startswith(DYNAMIC)]
# One defect can be seen from two sides; then both say so.
ALSO = {
    "closure_positional_argument": {"types/call-arg"},
    "closure_unknown_function": {"types/attr-defined"},
    "closure_unknown_name": {"types/name-defined"},
    "closure_unusable_tool": {"types/name-defined"},
    "compile_does_not_load": {"replay/differs", "tests/example-differs"},
    "generality_constant_parameters": {"generality/too-few-queries"},
    "policy_match_class": {"types/misc"},
    "policy_member": {"types/attr-defined"},
    "policy_name": {"closure/unknown-name", "types/arg-type"},
    "policy_shadow": {"types/attr-defined"},
}


def _functions(text: str, name: str) -> DescribedFunctions:
    found = read_functions(text, environment=name)
    return DescribedFunctions(name=found.environment, functions=found.functions)


def _judge(paths: Sequence[Path], sandbox: Sandbox, *, jobs: int = 1) -> dict[str, JudgedTool]:
    found = open_repository(paths, read_functions=_functions)
    bench = JudgingSetup(sandbox=sandbox, memory=NoVerdicts(), jobs=jobs)
    return {item.tool.name: item for item in judge_tools(graph_of(found.tools), found.asked, bench)}


@pytest.fixture(scope="module")
def static() -> dict[str, JudgedTool]:
    return _judge(
        [FOLDER / "good", *(FOLDER / "refused" / f"{name}.py" for name in STATIC)], InProcessSandbox(), jobs=2
    )


def _rule(name: str) -> str:
    gate, _, rule = name.lower().partition("_")
    return f"{gate}/{rule.replace('_', '-')}"


def _found(item: JudgedTool) -> set[str]:
    return {finding.rule for finding in item.verdict.findings}


def test_every_example_is_named_after_a_rule() -> None:
    assert [name for name in REFUSED if _rule(name) not in RULES] == []


def test_every_gate_has_an_example() -> None:
    gates = {"parse", "policy", "closure", "types", "generality", "safety", "compile", "tests", "replay"}
    assert {name.partition("_")[0] for name in REFUSED} == gates


@pytest.mark.parametrize("name", STATIC)
def test_a_static_example_is_refused_by_its_rule_alone(static: dict[str, JudgedTool], name: str) -> None:
    assert static[name].verdict.decision is Decision.REJECTED
    assert _found(static[name]) == {_rule(name)} | ALSO.get(name, set())


@pytest.mark.docker
@pytest.mark.slow
def test_the_good_tools_are_admitted_and_the_others_refused_by_their_rules(docker_sandbox: DockerSandbox) -> None:
    names = [name for name in REFUSED if name.startswith(DYNAMIC)]
    judged = _judge([FOLDER / "good", *(FOLDER / "refused" / f"{name}.py" for name in names)], docker_sandbox)
    assert {name: judged[name].verdict.decision for name in GOOD} == dict.fromkeys(GOOD, Decision.ADMITTED)
    expected = {name: {_rule(name)} | ALSO.get(name, set()) for name in names}
    assert {name: _found(judged[name]) for name in names} == expected
