"""The formats of a report: each is read by a reader of its own kind."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft4Validator

from nucleate_codifier.repository import JudgedTool, RepositoryReport, as_github, as_json, as_junit, as_sarif, visible
from nucleate_codifier.values import Finding
from tests.codifier.repository.files import CHEAPEST, judge, repository
from tests.doubles import BrokenSandbox, InProcessSandbox

SCHEMA = Path(__file__).with_name("sarif-2.1.0-rtm.4.json")


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> RepositoryReport:
    wrong = CHEAPEST.replace("shop.search(", "shop.serch(")
    return judge(repository(tmp_path_factory.mktemp("refused"), {"tools/cheapest.py": wrong}))


@pytest.fixture(scope="module")
def outage(tmp_path_factory: pytest.TempPathFactory) -> RepositoryReport:
    return judge(repository(tmp_path_factory.mktemp("outage")), sandbox=BrokenSandbox())


@pytest.fixture(scope="module")
def provisional(tmp_path_factory: pytest.TempPathFactory) -> RepositoryReport:
    return judge(repository(tmp_path_factory.mktemp("provisional")), sandbox=InProcessSandbox(final=False))


def _with_message(report: RepositoryReport, text: str) -> RepositoryReport:
    """Return the report with this text in every message."""
    judged = tuple(_item(item, text) for item in report.judged)
    return replace(report, judged=judged)


def _item(item: JudgedTool, text: str) -> JudgedTool:
    finding = Finding(rule="types/arg-type", message=text, line=1)
    gates = tuple(replace(gate, findings=(finding,) if gate.findings else ()) for gate in item.verdict.gates)
    return replace(item, verdict=replace(item.verdict, gates=gates))


def test_json_is_the_same_in_another_folder_but_for_the_times_at_its_end(tmp_path: Path) -> None:
    texts = [as_json(judge(repository(tmp_path / name))) for name in ("one", "two")]
    first, second = ([*json.loads(text).items()] for text in texts)
    assert [key for key, _ in first] == ["nucleate", "decision", "counts", "tools", "times"]
    assert first[:-1] == second[:-1]
    head, tail = (text.partition('\n  "times": {')[0] for text in texts)
    assert head == tail
    assert str(tmp_path) not in texts[0]


def test_json_names_every_tool_gate_and_finding(refused: RepositoryReport) -> None:
    value = json.loads(as_json(refused))
    assert (value["decision"], value["counts"]) == ("rejected", {"rejected": 2})
    tool = value["tools"][1]
    assert (tool["path"], tool["environment"], len(tool["depends_on"])) == ("tools/cheapest.py", "shop", 64)
    closure = next(gate for gate in tool["gates"] if gate["gate"] == "closure")
    assert closure["findings"][0]["rule"] == "closure/unknown-function"
    assert (closure["findings"][0]["line"], "milliseconds" in closure) == (6, False)


@pytest.mark.parametrize("name", ["refused", "outage", "provisional"])
def test_sarif_fits_its_schema(name: str, request: pytest.FixtureRequest) -> None:
    report: RepositoryReport = request.getfixturevalue(name)
    validator = Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert [error.message for error in validator.iter_errors(json.loads(as_sarif(report)))] == []


def test_sarif_holds_each_refusal_at_its_line_with_its_rule(refused: RepositoryReport) -> None:
    run = json.loads(as_sarif(refused))["runs"][0]
    result = next(item for item in run["results"] if item["ruleId"] == "closure/unknown-function")
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == "closure/unknown-function"
    assert "Why:" in rule["help"]["text"]
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "tools/cheapest.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 6, "snippet": {"text": 'offers = env.shop.serch(category=category)["offers"]'}},
    }
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_tells_an_outage_as_one_and_not_as_a_fault_of_the_code(outage: RepositoryReport) -> None:
    run = json.loads(as_sarif(outage))["runs"][0]
    invocation: dict[str, Any] = run["invocations"][0]
    assert (run["results"], invocation["executionSuccessful"]) == ([], False)
    assert len(invocation["toolExecutionNotifications"]) == 4


def test_junit_has_a_suite_for_each_tool_and_a_case_for_each_gate(refused: RepositoryReport) -> None:
    root = ET.fromstring(as_junit(refused))
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["tools/buy_cheapest.py", "tools/cheapest.py"]
    suite = suites["tools/cheapest.py"]
    assert [case.get("name") for case in suite] == [
        "parse", "policy", "closure", "types", "generality", "safety", "compile", "tests", "replay",
    ]  # fmt: skip
    failure = suite.find("testcase[@name='closure']/failure")
    assert failure is not None
    assert failure.get("message") == "closure/unknown-function"
    assert "tools/cheapest.py:6: closure/unknown-function: the environment has no function" in (failure.text or "")
    assert (suite.get("tests"), suite.get("skipped"), suite.get("errors")) == ("9", "3", "0")
    assert root.get("failures") == str(sum(int(item.get("failures", "")) for item in root))


def test_junit_counts_what_nobody_could_judge_as_an_error(
    outage: RepositoryReport, provisional: RepositoryReport
) -> None:
    assert ET.fromstring(as_junit(outage)).get("errors") == "4"
    root = ET.fromstring(as_junit(provisional))
    assert (root.get("errors"), root.get("failures")) == ("2", "0")


def test_github_annotates_each_finding_and_sums_up(refused: RepositoryReport, provisional: RepositoryReport) -> None:
    lines = as_github(refused).splitlines()
    assert (
        "::error file=tools/cheapest.py,line=6,title=closure/unknown-function::"
        "the environment has no function 'shop.serch'%0Afix: did you mean "
    ) in "".join(lines)
    assert lines[-1] == "::notice title=nucleate admit::2 rejected"
    assert as_github(provisional).splitlines()[0].startswith("::warning file=tools/buy_cheapest.py,title=provisional::")


@pytest.mark.parametrize("text", ["a\n::error::forged", "100% \r\n", "\x1b[2J", "\u202egnp", "\ud800", "a,b:c"])
def test_no_message_can_steer_a_reader(refused: RepositoryReport, text: str) -> None:
    report = _with_message(refused, text)
    github = as_github(report)
    assert len(github.splitlines()) == len(as_github(refused).splitlines())
    assert github.isascii() or "→" in github
    ET.fromstring(as_junit(report))
    assert as_json(report).isascii()
    assert as_sarif(report).isascii()


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "caf\udce9", "ü,:%"])
def test_no_name_of_a_file_can_break_a_format(refused: RepositoryReport, name: str) -> None:
    tools = [replace(item, tool=replace(item.tool, path=f"tools/{name}.py")) for item in refused.judged]
    report = replace(refused, judged=tuple(tools))
    assert len(as_github(report).splitlines()) == len(as_github(refused).splitlines())
    ET.fromstring(as_junit(report))
    for text in (as_json(report), as_sarif(report), as_junit(report), as_github(report)):
        text.encode("utf-8")


def test_what_cannot_be_seen_is_spelled_out() -> None:
    assert visible("ä\x1b[0m\u200b\n") == "ä\\x1b[0m\\u200b\\n"
