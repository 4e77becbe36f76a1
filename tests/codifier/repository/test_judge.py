"""Tools of a repository are judged after those that they call, and beside those that are admitted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nucleate_codifier.repository import (
    JudgingSetup,
    NoVerdicts,
    RepositoryError,
    graph_of,
    judge_tools,
    open_repository,
)
from nucleate_codifier.values import Decision
from tests.codifier.repository.files import BUY, CHEAPEST, FILES, decisions, judge, read_functions, repository, rules
from tests.doubles import BrokenSandbox, InProcessSandbox

ADMITTED = {"tools/buy_cheapest.py": "admitted", "tools/cheapest.py": "admitted"}


def test_a_tool_and_one_that_calls_it_are_admitted_in_that_order(tmp_path: Path) -> None:
    report = judge(repository(tmp_path))
    assert [rules(item) for item in report.judged] == [[], []]
    assert (decisions(report), report.exit_code) == (ADMITTED, 0)
    assert report.judged[0].dependencies == ("cheapest",)
    assert report.judged[0].verdict.capabilities == ("shop.order", "shop.search")


def test_a_named_tool_is_judged_with_what_it_calls_though_only_it_was_named(tmp_path: Path) -> None:
    assert decisions(judge(repository(tmp_path) / "tools" / "buy_cheapest.py")) == ADMITTED
    assert decisions(judge(tmp_path / "tools" / "cheapest.examples.jsonl")) == {"tools/cheapest.py": "admitted"}


def test_a_refused_dependency_refuses_what_calls_it_and_says_why(tmp_path: Path) -> None:
    report = judge(repository(tmp_path, {"tools/cheapest.py": CHEAPEST.replace("<", ">")}))
    buy, cheapest = report.judged
    assert report.exit_code == 1
    assert "tests/example-differs" in rules(cheapest)
    assert buy.verdict.decision is Decision.REJECTED
    finding = buy.verdict.findings[0]
    assert finding.rule == "closure/unusable-tool"
    assert finding.message.startswith("the tool 'cheapest' is refused (tests/example-differs")


def test_without_examples_three_rules_refuse(tmp_path: Path) -> None:
    report = judge(repository(tmp_path, {"tools/cheapest.examples.jsonl": None}) / "tools" / "cheapest.py")
    assert rules(report.judged[0]) == [
        "generality/too-few-queries",
        "tests/too-few-examples",
        "replay/no-held-out-evidence",
    ]


def test_tools_that_call_each_other_are_refused_with_the_cycle(tmp_path: Path) -> None:
    calls_back = CHEAPEST.replace('return best["sku"]', "return buy_cheapest(category=category)")
    report = judge(repository(tmp_path, {"tools/cheapest.py": calls_back}))
    assert {item.verdict.decision for item in report.judged} == {Decision.REJECTED}
    messages = [item.verdict.findings[0].message for item in report.judged]
    assert messages == [
        "the tool 'cheapest' is part of a cycle (cheapest → buy_cheapest → cheapest)",
        "the tool 'buy_cheapest' is part of a cycle (buy_cheapest → cheapest → buy_cheapest)",
    ]


def test_the_later_of_two_twins_is_refused_and_names_the_other(tmp_path: Path) -> None:
    twin = CHEAPEST.replace("def cheapest", "def lowest").replace("best", "found")
    examples = FILES["tools/cheapest.examples.jsonl"]
    report = judge(repository(tmp_path, {"tools/lowest.py": twin, "tools/lowest.examples.jsonl": examples}))
    assert decisions(report) == {**ADMITTED, "tools/lowest.py": "rejected"}
    assert "the tool 'cheapest'" in report.judged[2].verdict.findings[0].message


def test_a_changed_tool_is_refused_as_the_twin_of_one_that_did_not_change(tmp_path: Path) -> None:
    twin = CHEAPEST.replace("def cheapest", "def aaa").replace("best", "found")
    examples = FILES["tools/cheapest.examples.jsonl"]
    repository(tmp_path, {"tools/aaa.py": twin, "tools/aaa.examples.jsonl": examples, "tools/bad.py": "def ("})
    found = open_repository([tmp_path], read_functions=read_functions)
    bench = JudgingSetup(sandbox=InProcessSandbox(), memory=NoVerdicts())
    judged = judge_tools(graph_of(found.tools), frozenset({"tools/aaa.py"}), bench, beside=found.asked)
    assert [rules(item) for item in judged] == [["generality/near-duplicate"]]


def test_side_by_side_the_verdicts_are_the_same(tmp_path: Path) -> None:
    repository(tmp_path)
    one, two = judge(tmp_path), judge(tmp_path, jobs=4)
    assert [item.verdict for item in one.judged] == [item.verdict for item in two.judged]


def test_an_outage_leaves_a_tool_and_its_callers_unjudged(tmp_path: Path) -> None:
    report = judge(repository(tmp_path), sandbox=BrokenSandbox())
    assert report.exit_code == 2
    buy, cheapest = report.judged
    assert rules(cheapest) == ["compile/outage", "tests/outage", "replay/outage"]
    assert rules(buy) == ["closure/outage"]
    assert buy.verdict.findings[0].message == "nothing is known about 'cheapest', which it calls"


def test_what_passes_in_a_sandbox_that_is_no_boundary_is_not_admitted(tmp_path: Path) -> None:
    report = judge(repository(tmp_path), sandbox=InProcessSandbox(final=False))
    assert set(decisions(report).values()) == {"provisional"}
    assert report.exit_code == 2


def test_a_refusal_counts_more_than_an_outage(tmp_path: Path) -> None:
    bad = BUY.replace("shop.order", "shop.ordr").replace("cheapest(category=category)", "category")
    report = judge(repository(tmp_path, {"tools/buy_cheapest.py": bad}), sandbox=BrokenSandbox())
    assert decisions(report) == {"tools/buy_cheapest.py": "rejected", "tools/cheapest.py": "unjudged"}
    assert report.exit_code == 1


def test_the_lock_and_the_tests_beside_a_tool_are_its_own(tmp_path: Path) -> None:
    tests = "def test_it():\n    assert tool(category='lamps') == 'L2'\n"
    report = judge(repository(tmp_path, {"tools/test_cheapest.py": tests}) / "tools" / "test_cheapest.py")
    assert report.judged[0].tool.candidate.tests == {"test_cheapest.py": tests}
    assert decisions(report) == {"tools/cheapest.py": "admitted"}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"more/cheapest.py": CHEAPEST}, "have the same name 'cheapest' in the environment 'shop'"),
        ({"tools/cheapest.examples.jsonl": "{}\n"}, "tools/cheapest.examples.jsonl:1: 'query' is missing"),
    ],
)
def test_what_cannot_be_judged_is_one_clear_error(tmp_path: Path, changes: dict[str, str], says: str) -> None:
    with pytest.raises(RepositoryError, match=says):
        judge(repository(tmp_path, changes))


def test_a_folder_without_tools_is_an_error_and_not_a_success(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(RepositoryError, match="no tool module in 'empty'"):
        judge(repository(tmp_path) / "empty")


def test_a_file_that_cannot_be_read_is_a_finding_and_the_others_are_judged(tmp_path: Path) -> None:
    outside = tmp_path / "secret.txt"
    outside.write_text("secret", encoding="utf-8")
    tools = repository(tmp_path / "repository") / "tools"
    (tools / "linked.py").symlink_to(outside)
    (tools / "dangling.py").symlink_to(tools / "nowhere.py")
    (tools / "folder.py").mkdir()
    (tools / "latin.py").write_bytes(CHEAPEST.replace("cheapest", "latin").encode() + b"# \xe9\n")
    os.mkfifo(tools / "pipe.py")
    report = judge(tmp_path / "repository")
    faults = {
        item.tool.name: item.verdict.findings[0].message for item in report.judged if rules(item) == ["parse/file"]
    }
    assert {name: said.partition(": ")[2].split(";")[0].split(",")[0] for name, said in faults.items()} == {
        "dangling": "a symbolic link is not followed",
        "folder": "no regular file",
        "latin": f"byte {len(CHEAPEST.replace('cheapest', 'latin').encode()) + 2} is not UTF-8",
        "linked": "a symbolic link is not followed",
        "pipe": "no regular file",
    }
    assert decisions(report) == ADMITTED | {f"tools/{name}.py": "rejected" for name in faults}
    assert report.exit_code == 1
