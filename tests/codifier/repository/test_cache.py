"""Verdicts are remembered by the hash of everything that they depended on, and by nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from nucleate_codifier import Verdict, fingerprint
from nucleate_codifier.repository import FileVerdicts
from nucleate_codifier.values import AdmissionPolicy, Candidate, Decision, Evidence, Finding, Gate, GateReport, Status
from nucleate_sandbox import RecordedEnvironment
from tests.codifier.repository.files import CHEAPEST, CONFIG, FILES, example, jsonl, judge, repository
from tests.codifier.shop import ANN, EVIDENCE, subject
from tests.doubles import BrokenSandbox, InProcessSandbox


def test_what_was_judged_is_not_judged_again(tmp_path: Path) -> None:
    folder, memory = repository(tmp_path / "r"), FileVerdicts(tmp_path / "cache")
    first = judge(folder, memory=memory)
    sandbox = InProcessSandbox()
    second = judge(folder, memory=FileVerdicts(tmp_path / "cache"), sandbox=sandbox)
    assert sandbox.ran == []
    assert [item.cached for item in second.judged] == [True, True]
    assert [item.verdict for item in second.judged] == [item.verdict for item in first.judged]


@pytest.mark.parametrize(
    "changes",
    [
        {"tools/cheapest.py": CHEAPEST.replace("Offers.", "The offers.")},
        {"tools/test_cheapest.py": "def test_it():\n    assert tool(category='lamps') == 'L2'\n"},
        {"tools/cheapest.examples.jsonl": jsonl(example("lamps"), example("mugs"), example("rugs", held_out=True))},
        {"calls.jsonl": FILES["calls.jsonl"] * 2},
        {"pyproject.toml": f"{CONFIG}property_examples = 7\n"},
    ],
    ids=["source", "tests", "examples", "recordings", "policy"],
)
def test_a_change_of_anything_that_counts_is_judged_anew(tmp_path: Path, changes: dict[str, str]) -> None:
    memory = FileVerdicts(tmp_path / "cache")
    judge(repository(tmp_path / "r"), memory=memory)
    sandbox = InProcessSandbox()
    report = judge(repository(tmp_path / "r", changes) / "tools" / "cheapest.py", memory=memory, sandbox=sandbox)
    assert sandbox.ran
    assert not report.judged[0].cached


def test_an_outage_is_never_remembered(tmp_path: Path) -> None:
    folder, memory = repository(tmp_path / "r"), FileVerdicts(tmp_path / "cache")
    assert judge(folder, memory=memory, sandbox=BrokenSandbox()).exit_code == 2
    assert list(tmp_path.glob("cache/*")) == []
    assert judge(folder, memory=memory).exit_code == 0


def test_a_refusal_for_want_of_time_is_not_remembered(tmp_path: Path) -> None:
    memory = FileVerdicts(tmp_path)
    late = GateReport(gate=Gate.TESTS, status=Status.REFUSED, findings=(Finding(rule="tests/timeout", message="late"),))
    verdict = Verdict(candidate="x", decision=Decision.REJECTED, gates=(late,), depends_on="a" * 64)
    memory.add(Candidate(name="x", scope="s", source=""), verdict)
    assert memory.find("a" * 64) is None


@pytest.mark.parametrize("damage", ["cut", "forged", "swapped", "no json"])
def test_a_damaged_entry_is_ignored_and_named(tmp_path: Path, damage: str) -> None:
    memory = FileVerdicts(tmp_path)
    verdict = Verdict(candidate="x", decision=Decision.REJECTED, gates=(), depends_on="a" * 64)
    memory.add(Candidate(name="x", scope="s", source=""), verdict)
    path = tmp_path / f"{'a' * 64}.json"
    text = path.read_text(encoding="utf-8")
    texts = {
        "cut": text[:-9],
        "forged": text.replace("rejected", "admitted"),
        "swapped": json.dumps({**json.loads(text), "verdict": "{}"}),
        "no json": "\xff",
    }
    assert memory.find("a" * 64) == verdict
    path.write_text(texts[damage], encoding="latin-1")
    assert memory.find("a" * 64) is None
    assert memory.damaged == [path.name]


def test_an_entry_under_another_hash_is_not_believed(tmp_path: Path) -> None:
    memory = FileVerdicts(tmp_path)
    verdict = Verdict(candidate="x", decision=Decision.ADMITTED, gates=(), depends_on="a" * 64)
    memory.add(Candidate(name="x", scope="s", source=""), verdict)
    (tmp_path / f"{'a' * 64}.json").rename(tmp_path / f"{'b' * 64}.json")
    assert memory.find("b" * 64) is None


def test_a_folder_that_cannot_be_written_keeps_nothing_and_breaks_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    memory = FileVerdicts(tmp_path / "file")
    memory.add(
        Candidate(name="x", scope="s", source=""),
        Verdict(candidate="x", decision=Decision.ADMITTED, gates=(), depends_on="a" * 64),
    )
    assert memory.find("a" * 64) is None


def test_the_hash_counts_whatever_the_verdict_depends_on() -> None:
    base = subject()
    view = base.environment
    recorded = RecordedEnvironment(view.name, view.functions, ANN.calls)
    others = [
        replace(base, candidate=replace(base.candidate, source=base.candidate.source + "\n")),
        replace(base, candidate=replace(base.candidate, tests={"test_it.py": ""})),
        replace(base, candidate=replace(base.candidate, lock="x")),
        replace(base, evidence=Evidence(seen=EVIDENCE.seen)),
        replace(base, evidence=replace(EVIDENCE, seen=(replace(ANN, result=[]), *EVIDENCE.seen[1:]))),
        replace(base, policy=AdmissionPolicy(min_queries=3)),
        replace(base, sandbox=InProcessSandbox(final=False)),
        replace(base, environment=replace(view, functions={})),
        replace(base, environment=replace(view, live=None)),
        replace(base, environment=replace(view, live=recorded)),
        replace(base, library=replace(base.library, unusable={"x": "archived"})),
    ]
    assert len({fingerprint(item) for item in [base, *others]}) == len(others) + 1
    assert fingerprint(base) == fingerprint(subject())
