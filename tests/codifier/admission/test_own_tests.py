"""The candidate's own tests: untrusted, and worth only as much as the mutants that they kill."""

from __future__ import annotations

from nucleate_codifier.admission.subject import GateResult
from nucleate_codifier.admission.tests_gate import tests_gate
from tests.codifier.shop import rules, subject

HONEST = "def test_ann():\n    assert tool(customer='ann', share=0.5) == ['R-W101']\n"


def judged(text: str) -> GateResult:
    return tests_gate(subject(tests={"test_it.py": text}))


def test_an_honest_suite_passes_and_is_counted() -> None:
    result = judged(HONEST + "\n\ndef test_bob():\n    assert tool(customer='bob', share=1.0) == ['R-W103']\n")
    assert (result.findings, result.counts["tests"]) == ((), 2)


def test_a_suite_that_passes_for_wrong_variants_too_is_trivial() -> None:
    for trivial in ("assert True", "assert tool is not None", "tool(customer='ann', share=0.5) if False else None"):
        assert rules(judged(f"def test_it():\n    {trivial}\n")) == ["tests/trivial-suite"]


def test_a_failing_test_is_shown() -> None:
    (finding,) = judged(HONEST.replace("R-W101", "R-W999")).findings
    assert (finding.rule, finding.message) == ("tests/own-test-fails", "test_it.py::test_ann: AssertionError: ")


def test_files_without_a_test_are_refused() -> None:
    assert rules(judged("WANTED = 1\n")) == ["tests/tests-missing"]


def test_a_test_that_was_defined_but_not_run_is_missed() -> None:
    hidden = "\n\nif False:\n    def test_more():\n        assert tool(customer='bob', share=1.0) == []\n"
    (finding,) = judged(HONEST + hidden).findings
    assert (finding.rule, finding.message) == ("tests/tests-missing", "1 tests ran, the files define 2")
