"""In a repository a fix names the files that its author writes."""

from __future__ import annotations

from nucleate_codifier.gates import Gate
from nucleate_codifier.repository.advice import advised
from nucleate_codifier.values import Decision, Finding, GateReport, Status, Verdict


def _fix(rule: str, fix: str) -> str:
    report = GateReport(gate=Gate.TESTS, status=Status.REFUSED, findings=(Finding(rule=rule, message="", fix=fix),))
    verdict = Verdict(candidate="find_it", decision=Decision.REJECTED, gates=(report,))
    (finding,) = advised(verdict, "find_it").findings
    return finding.fix


def test_nothing_recurs_by_itself_there() -> None:
    said = _fix("generality/too-few-queries", "wait until the plan recurs with another input")
    assert said == "add a line with another input to find_it.examples.jsonl"


def test_a_run_is_a_line_and_a_test_a_file() -> None:
    said = _fix("tests/mutants-survive", "record a run, or write a test, that tells them apart: with {}: it differs")
    assert (
        said
        == "add a line to find_it.examples.jsonl, or a test to test_find_it.py, that tells them apart: with {}: it differs"
    )


def test_what_fits_every_place_is_as_it_was() -> None:
    assert _fix("tests/flaky", "sort what comes out of a set") == "sort what comes out of a set"
