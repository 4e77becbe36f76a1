"""The labelled corpus is whole: every candidate has one label, and every task has evidence to be judged by."""

from __future__ import annotations

from collections import Counter

import pytest

from evals.admission.accuracy import Accuracy
from evals.admission.corpus_files import HALVES, candidates, read_corpus
from evals.admission.judging import Judged
from evals.admission.result import Result, figures
from nucleate_codifier import Decision, Finding, Gate, GateReport, Status, Verdict

LEAST = 50


@pytest.mark.parametrize("half", HALVES)
def test_a_half_holds_enough_good_and_bad_candidates_with_labels_of_their_own(half: str) -> None:
    found = [item for task in read_corpus(half) for item in candidates(task)]
    bad = sum(bool(item.defect) for item in found)
    assert min(bad, len(found) - bad) >= LEAST
    assert [label for label, count in Counter(item.label for item in found).items() if count > 1] == []


@pytest.mark.parametrize("half", HALVES)
def test_every_candidate_differs_from_the_reference_in_source_or_suite(half: str) -> None:
    same = [
        item.label
        for task in read_corpus(half)
        for item in candidates(task)
        if task.counted
        and not item.label.endswith("/reference")
        and (item.source, item.tests) == (task.source, task.tests)
    ]
    assert same == []


def test_no_task_stands_in_two_halves() -> None:
    names = [task.name for half in HALVES for task in read_corpus(half)]
    assert len(names) == len(set(names))


def _judged(label: str, decision: Decision, rule: str = "") -> Judged:
    task = next(task for task in read_corpus("tuned") if task.name == "order_total")
    item = next(candidate for candidate in candidates(task) if candidate.label == label)
    findings = (Finding(rule=rule, message=""),) if rule else ()
    report = GateReport(gate=Gate.TYPES, status=Status.REFUSED if rule else Status.PASSED, findings=findings)
    verdict = Verdict(candidate=task.name, decision=decision, gates=(report,))
    return Judged(labelled=item, verdict=verdict, milliseconds=10.0)


def test_false_refusals_and_false_admissions_are_counted_apart() -> None:
    half = Accuracy(
        half="tuned",
        judged=(
            _judged("order_total/reference", Decision.ADMITTED),
            _judged("order_total/from the lines", Decision.REJECTED, "types/mypy"),
            _judged("order_total/hallucinated function", Decision.REJECTED, "closure/unknown-function"),
            _judged("order_total/quantity forgotten", Decision.ADMITTED),
        ),
    )
    counted = figures(Result(halves=(half,), judging_seconds=4.0, speed=None))
    assert {name: counted[name] for name in ("good", "good_refused", "bad", "bad_refused", "unsafe_admitted")} == {
        "good": 2,
        "good_refused": 1,
        "bad": 2,
        "bad_refused": 1,
        "unsafe_admitted": 0,
    }
    assert half.caught_first == {"closure": 1}
    assert (counted["full_verdict_ms"], counted["seconds_per_100"]) == (10.0, 100.0)
