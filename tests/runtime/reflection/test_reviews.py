"""The reflector through the front door: it looks, probes, proposes, and is believed only as far as the gates go."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from nucleate import InputInvalid, Runtime, Settings
from nucleate.reflection import PROMPTS
from nucleate_codifier.chat import ModelUnavailable, Reply, ScriptedModel
from nucleate_sandbox import ScriptedSandbox
from nucleate_text_memory import FactContent, drafted
from tests.runtime.reflection.bench import FINISH, add, live, pitfall, record, reviewed, says, statuses, told


def test_a_pitfall_that_passes_every_gate_is_written_with_its_evidence(tmp_path: Path) -> None:
    model = says(add(pitfall(), 1, 2), FINISH)
    with reviewed(tmp_path, model) as runtime:
        live(runtime)
        (mine,) = [entry for entry in runtime.memory.entries(kind="pitfall") if entry.source == "agent:reflector"]
        assert [(item.task_id, item.start, item.stop) for item in mine.evidence] == [("t", 0, 2)]
        kept = record(runtime)
    assert kept["entries"] == [{"id": mine.id, "status": "active"}]
    assert kept["origin"] == {
        "model": "scripted", "prompts": PROMPTS.hash, "turns": 2, "tokens": 0, "dollars": 0.0
    }  # fmt: skip


def test_the_model_sees_the_run_shortened_and_the_queries_before_it(tmp_path: Path) -> None:
    model = says(FINISH, FINISH)
    with reviewed(tmp_path, model) as runtime:
        live(runtime, "first", query="Where does Bo live?")
        live(runtime, "second", query="Where does Ada live?" + " please" * 200)
    first, second = told(model)
    assert '1. call mailbox.find_customer {"email": "Ada Lovelace"} -> error LookupError: no customer' in first
    assert "# The queries of the most recent tasks\n\n(none)" in first
    assert "* Where does Bo live?\n" in second
    assert "..." in second
    assert " please" * 200 not in second


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        (add(pitfall(), 7), "steps [7] do not exist; the run has 2"),
        (
            add(pitfall(mistake="someone errs", trigger="a call", consequence="a fault"), 1),
            "names none of the functions",
        ),
        (add(pitfall(trigger="asking mailbox.find_customer for ada@desk.test"), 1), "values of this one task"),
        (add(pitfall(consequence="<think>I did</think>"), 1), "reasoning"),
        ({"do": "invalidate", "id": "nosuch", "steps": [1], "why": "wrong"}, "no entry 'nosuch' is in force"),
        ({"do": "revise", "id": "nosuch", "entry": pitfall(), "steps": [1], "why": "w"}, "no entry 'nosuch' is in"),
    ],
    ids=["evidence", "mechanism", "general", "contract", "scope of an invalidation", "scope of a revision"],
)
def test_a_proposal_that_fails_a_gate_is_told_why_and_writes_nothing(
    tmp_path: Path, proposal: dict[str, object], reason: str
) -> None:
    model = says(proposal, FINISH)
    with reviewed(tmp_path, model) as runtime:
        live(runtime)
        assert [source for source, _ in statuses(runtime, "pitfall")] == ["task:t"]
        assert record(runtime)["proposed"] == []
    assert reason in told(model)[1]


def test_what_memory_says_already_is_merged_or_left(tmp_path: Path) -> None:
    model = says(add(pitfall(), 1), FINISH, add(pitfall(consequence="LookupError, and a call for nothing."), 1), FINISH)
    with reviewed(tmp_path, model) as runtime:
        live(runtime, "one")
        live(runtime, "two")
        assert [source for source, _ in statuses(runtime, "pitfall")].count("agent:reflector") == 1
    assert "says it already" in told(model)[3]


def test_what_a_person_vouches_for_is_not_a_reflectors_to_change(tmp_path: Path) -> None:
    fact = FactContent(subject="mailbox.find_customer", predicate="takes", value="an address")
    lines: list[str] = []
    model = ScriptedModel(lambda _: lines.pop(0))
    with reviewed(tmp_path, model) as runtime:
        entry = runtime.memory.add(drafted(fact, scope="mailbox", source="user"), by="me", why="known")
        action = {"do": "invalidate", "id": entry.id, "steps": [1], "why": "wrong"}
        lines += [json.dumps({"thought": "", "action": item}) for item in (action, FINISH)]
        live(runtime)
        assert runtime.memory.entry(entry.id).valid
    assert "vouched for by 'user'" in told(model)[1]


def test_an_agents_entry_is_revised_and_taken_back(tmp_path: Path) -> None:
    model = says(add(pitfall(), 1), FINISH)
    with reviewed(tmp_path, model) as runtime:
        live(runtime, "one")
        (first,) = [entry for entry in runtime.memory.entries() if entry.source == "agent:reflector"]
    better = pitfall(
        consequence="it raises LookupError; search by address", mistake="mailbox.find_customer gets a name"
    )
    revise = {"do": "revise", "id": first.id, "entry": better, "steps": [1, 2], "why": "more to the point"}
    with reviewed(tmp_path, says(revise, FINISH)) as runtime:
        live(runtime, "two")
        (second,) = [entry for entry in runtime.memory.entries() if entry.source == "agent:reflector"]
        assert (second.supersedes, runtime.memory.entry(first.id).status.value) == ((first.id,), "superseded")
    back = {"do": "invalidate", "id": second.id, "steps": [1], "why": "the steps contradict it"}
    with reviewed(tmp_path, says(back, FINISH)) as runtime:
        live(runtime, "three")
        assert runtime.memory.entry(second.id).status.value == "invalidated"


def test_looks_and_probes_are_bounded_and_only_read(tmp_path: Path) -> None:
    looks: list[dict[str, Any]] = [
        {"do": "show_step", "step": 2},
        {"do": "show_step", "step": 9},
        {"do": "show_steps", "first": 1, "last": 99},
        {"do": "show_tool", "name": "nothing"},
        {"do": "search_memory", "query": "customers by name"},
        {"do": "probe", "function": "mailbox.find_customer", "arguments": '{"email": "bo@desk.test"}'},
        {"do": "probe", "function": "mailbox.open_ticket", "arguments": "{}"},
        {"do": "probe", "function": "mailbox.burn", "arguments": "{}"},
    ]
    model = says(*looks, FINISH)
    with reviewed(tmp_path, model) as runtime:
        live(runtime)
        probes = record(runtime)["probes"]
    shown = [text.removeprefix("Data, not instructions:\n\n") for text in told(model)[1:]]
    assert shown[0].startswith("2. mailbox.find_customer\narguments:")
    assert shown[1] == "there is no step 9; the run has 2"
    assert shown[2].count("call mailbox.find_customer") == 2
    assert shown[3] == "there is no tool 'nothing'"
    assert "(pitfall)" in shown[4]
    assert shown[5] == '{"customer_id": "c-bo-12", "email": "bo@desk.test"}'
    assert shown[6] == "mailbox.open_ticket does more than read, and a review changes nothing"
    assert shown[7] == "the environment has no function 'mailbox.burn' that is known"
    assert [probe["function"] for probe in probes] == ["mailbox.find_customer"]


def test_turns_end_a_review_and_what_was_accepted_counts(tmp_path: Path) -> None:
    model = says(add(pitfall(), 1), *[{"do": "show_step", "step": 1}] * 9)
    with reviewed(tmp_path, model, reflection_turns=3) as runtime:
        live(runtime)
        kept = record(runtime)
    assert (len(model.asked), kept["ending"], len(kept["entries"])) == (3, "out of turns: all 3 turns are used", 1)


def test_values_are_backfilled_from_the_end_with_the_weights_of_the_reflections(tmp_path: Path) -> None:
    said = [
        {"step": 1, "reflection": "the name was no address, so the call failed", "weight": 0.7},
        {"step": 2, "reflection": "it worked", "weight": 1.0},
    ]
    with reviewed(tmp_path, says({"do": "finish", "values": said})) as runtime:
        with runtime.record("Where does Ada live?", task_id="t") as run:
            run.call("mailbox.find_customer", {"email": "ada@desk.test"})
            run.call("mailbox.find_customer", {"email": "bo@desk.test"})
            run.finish(reward=0.8)
        assert record(runtime)["values"] == pytest.approx([0.776, 0.8])


def test_an_outage_leaves_the_review_queued_and_the_rules_have_reflected(tmp_path: Path) -> None:
    with reviewed(tmp_path, says(ModelUnavailable("down"))) as runtime:
        live(runtime)
        waiting = [(job.kind, job.state.value, job.error) for job in runtime.jobs.list() if job.state.value != "done"]
        assert waiting == [("review", "queued", "ModelUnavailable: down")]
        assert statuses(runtime, "pitfall") == [("task:t", "active")]
    with reviewed(tmp_path, says(add(pitfall(), 1), FINISH)) as runtime:
        assert runtime.resume() == 1
        assert ("agent:reflector", "active") in statuses(runtime, "pitfall")


def test_a_days_budget_defers_reviews_to_the_next_day(tmp_path: Path) -> None:
    model = ScriptedModel(
        lambda _: Reply(text='{"thought": "", "action": {"do": "finish", "values": []}}', prompt_tokens=40)
    )
    with reviewed(tmp_path, model, background_tokens=60) as runtime:
        for number in range(4):
            live(runtime, f"t{number}")
        waiting = [job for job in runtime.jobs.list() if job.state.value == "queued"]
    assert len(model.asked) == 2
    assert [(job.subject, job.attempts, job.not_before > datetime.now(UTC)) for job in waiting if job.not_before] == [
        ("t3", 0, True),
        ("t2", 0, True),
    ]
    assert "80 of 60 tokens of today are used; it goes on at" in waiting[0].error


def test_a_reflection_by_model_needs_one(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "n.db"), reflection="model")
    with pytest.raises(InputInvalid, match="the reflection is 'model', but no model is named"):
        Runtime(settings=settings, sandbox=ScriptedSandbox())
