"""Reading others' runs, what an agent knows when, and what the evaluation counts: on runs of our own making."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from evals.real.environments.drivers.serving import changes, entities_in
from evals.real.knowing import Story, known_now
from evals.real.lessons import key_paths
from evals.real.runs import Run, cleaned, few_of_each, read_runs, trajectory
from nucleate_sandbox import Json
from nucleate_text_memory import StepError, Utterance

FOUND: Json = {"customer": "c-4471", "orders": ["o-9001", "o-9002"]}
ROW: dict[str, Json] = {
    "source": "desk",
    "task_id": "7",
    "trial": 0,
    "query": "Please cancel one of my orders.",
    "user_turns": ["Please cancel one of my orders.", "I am ada@example.org.", "The second one, o-9002."],
    "success": True,
    "domain": "desk",
    "group": "g-1",
    "steps": [
        {"function": "find", "arguments": {"email": "adda@example.org"}, "result": "Error: nobody", "error": True, "turn": 2},
        {"function": "find", "arguments": {"email": "ada@example.org"}, "result": FOUND, "error": False, "turn": 2},
        {"function": "think", "arguments": {"thought": "which?"}, "result": "", "error": False, "turn": 2},
        {"function": "find", "arguments": {"email": "ada@example.org"}, "result": FOUND, "error": False, "turn": 2},
        {"function": "order", "arguments": {"id": "o-9001"}, "result": {"id": "o-9001"}, "error": False, "turn": 2},
        {"function": "reboot", "arguments": {}, "result": "ok", "error": False, "turn": 2, "by": "user"},
        {"function": "cancel", "arguments": {"id": "o-9002", "why": "regret"}, "result": "done", "error": False, "turn": 3},
    ],
}  # fmt: skip


def _run(folder: Path) -> Run:
    (folder / "desk.jsonl.gz").write_bytes(gzip.compress(json.dumps(ROW).encode()))
    ((run,),) = read_runs(folder).values()
    return run


def test_a_run_is_read_as_it_stands(tmp_path: Path) -> None:
    run = _run(tmp_path)
    assert (run.scope, run.group, run.query, run.success) == ("desk", "g-1", ROW["query"], True)
    assert [action.function for action in cleaned(run).actions] == ["find", "order", "cancel"]


def test_a_run_is_learned_from_as_ingest_reads_it(tmp_path: Path) -> None:
    told = trajectory(_run(tmp_path))
    assert [step.function for step in told.steps][-2:] == ["desk.order", "desk.cancel"]
    assert told.steps[0].error == StepError(kind="EnvironmentError", message="Error: nobody")
    assert told.said[-1] == Utterance(text="The second one, o-9002.", at=5)


def test_a_value_is_as_old_as_the_first_event_that_holds_it(tmp_path: Path) -> None:
    story = Story(cleaned(_run(tmp_path)))
    assert story.origin("ada@example.org") == (0, None)
    assert story.origin("o-9002") == (1, 0)
    assert story.origin("regret") is None


def test_a_call_hangs_on_the_answers_that_hold_its_arguments(tmp_path: Path) -> None:
    story = Story(cleaned(_run(tmp_path)))
    assert [(item.reads, item.known) for item in story.slices[:2]] == [(frozenset(), 0), (frozenset({0}), 0)]
    assert story.slices[2].reads == {0}
    assert story.plan(1) == ("find", "order")


def test_what_is_said_later_is_not_known_before(tmp_path: Path) -> None:
    story = Story(cleaned(_run(tmp_path)))
    free: frozenset[str] = frozenset()
    assert not known_now({"id": "o-9002"}, story=story, position=1, seen=story.said(1), free=free)
    assert known_now({"id": "o-9002"}, story=story, position=2, seen=story.said(2), free=free)
    assert known_now({"why": "regret"}, story=story, position=1, seen=[], free=frozenset({"regret"}))


def test_few_runs_of_each_group_are_kept(tmp_path: Path) -> None:
    run = _run(tmp_path)
    assert few_of_each([run, run, run], 2) == [run, run]


def test_changes_name_the_leaves_that_differ() -> None:
    before = {"orders": {"1": {"status": "pending", "items": ["a", "b"]}}}
    now = {"orders": {"1": {"status": "cancelled", "items": ["a"]}, "2": {"status": "new"}}}
    assert changes(before, now) == {
        "/orders/1/items/1": None,
        "/orders/1/status": "cancelled",
        "/orders/2/status": "new",
    }


def test_keys_and_values_that_never_repeat_are_somebodys_own() -> None:
    rows = {f"k{at}": {"mail": f"m{at}", "town": "Oslo"} for at in range(4)}
    assert entities_in({"people": rows}) == {"k0", "k1", "k2", "k3", "m0", "m1", "m2", "m3"}


def test_keys_that_are_data_stand_for_any_key() -> None:
    result: Json = {"variants": {"8871": {"price": 1}, "9912": {"price": 2}}}
    assert list(key_paths(result, "")) == [
        (".variants", ["8871", "9912"]),
        (".variants.*.price", 1),
        (".variants.*.price", 2),
    ]
