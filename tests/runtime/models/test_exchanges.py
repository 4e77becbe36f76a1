"""Recorded exchanges: what is in the file, and what comes of a prompt that is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nucleate.errors import InputInvalid
from nucleate.models import Recorder, Replayer, prompt_hash
from nucleate_codifier.chat import Message, ModelUnavailable, Reply, Role, ScriptedModel
from nucleate_codifier.model.actions import Bindings, Turn

HELLO = [Message(role=Role.USER, content="Hello?")]
BYE = [Message(role=Role.USER, content="Bye?")]
REPLY = Reply(text="Hello.", model="scripted", prompt_tokens=3, completion_tokens=2, dollars=0.5)


def test_an_exchange_is_one_line_with_hash_messages_reply_tokens_and_cost(tmp_path: Path) -> None:
    path = tmp_path / "new" / "exchanges.jsonl"
    Recorder(ScriptedModel([REPLY]), path).complete(HELLO, schema=Turn)
    (line,) = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {
        "prompt": prompt_hash(HELLO, Turn),
        "model": "scripted",
        "schema": "Turn",
        "messages": [{"role": "user", "content": "Hello?"}],
        "reply": "Hello.",
        "ending": "complete",
        "prompt_tokens": 3,
        "completion_tokens": 2,
        "dollars": 0.5,
    }


def test_what_was_recorded_is_replayed_without_the_model(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    Recorder(ScriptedModel([REPLY]), path).complete(HELLO)
    assert [Replayer(path, name="scripted").complete(HELLO) for _ in range(2)] == [REPLY, REPLY]


def test_another_prompt_shape_or_model_is_a_miss_that_names_the_hash_and_how_to_record(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    Recorder(ScriptedModel([REPLY]), path).complete(HELLO, schema=Turn)
    for name, messages, schema in (("scripted", BYE, Turn), ("scripted", HELLO, Bindings), ("other", HELLO, Turn)):
        with pytest.raises(ModelUnavailable, match=f"{prompt_hash(messages, schema)}; record it: .*Recorder"):
            Replayer(path, name=name).complete(messages, schema=schema)


def test_a_miss_goes_to_the_model_behind_and_is_asked_only_once(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    model = ScriptedModel([REPLY])
    replayer = Replayer(path, name="scripted", beyond=Recorder(model, path))
    assert [replayer.complete(HELLO), replayer.complete(HELLO)] == [REPLY, REPLY]
    assert Replayer(path, name="scripted").complete(HELLO) == REPLY
    assert len(model.asked) == 1


def test_secrets_do_not_reach_the_file(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    secret = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    asked = [Message(role=Role.USER, content=f"my key is {secret}")]
    Recorder(ScriptedModel([REPLY]), path).complete(asked)
    assert secret not in path.read_text(encoding="utf-8")
    assert Replayer(path, name="scripted").complete(asked) == REPLY


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "exchanges.jsonl"
    path.write_text('{"model": "scripted"}\n', encoding="utf-8")
    with pytest.raises(InputInvalid, match=r"line 1 of '.*exchanges.jsonl' is no exchange \(KeyError\('prompt'\)\)"):
        Replayer(path, name="scripted")
