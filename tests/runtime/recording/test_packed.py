"""Packed recordings are read as lines: gzip, Zstandard, and a database that an agent keeps its sessions in."""

from __future__ import annotations

import gzip
import json
import sqlite3
from pathlib import Path

import pytest
import zstandard

from nucleate.cli.ingest.sources import RecordingFile, recordings
from nucleate.errors import InputInvalid
from nucleate_text_memory import BadLine, read_trajectories

LINES = b'{"a": 1}\n{"b": "\xc3\xa9"}\n'
PACKED = {
    "rollout.jsonl.zst": zstandard.compress(LINES[:9]) + zstandard.compress(LINES[9:]),
    "session.jsonl.gz": gzip.compress(LINES),
    "plain.jsonl": LINES,
}


def read(path: Path) -> list[str]:
    with RecordingFile(path=path).lines() as lines:
        return [line.rstrip("\n") for line in lines]


@pytest.mark.parametrize("name", PACKED)
def test_what_is_packed_is_told_by_how_it_begins(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(PACKED[name])
    (tmp_path / "notes.txt").write_bytes(b"no recording")
    (found,) = recordings([str(tmp_path)])
    assert found.name == name.split(".", maxsplit=1)[0]
    assert read(tmp_path / name) == ['{"a": 1}', '{"b": "é"}']


def test_a_pack_that_breaks_off_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(zstandard.compress(LINES * 100)[:-4])
    with pytest.raises(InputInvalid, match=r"rollout\.jsonl\.zst"):
        read(path)


def test_the_database_of_opencode_is_read_as_its_sessions_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, time_created INTEGER)")
        database.execute("CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT)")
        database.execute("CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)")
        database.execute("CREATE TABLE account (id TEXT, token TEXT)")
        database.execute("INSERT INTO session VALUES ('s1', NULL, '/srv/app', 1)")
        database.execute("INSERT INTO account VALUES ('a', 'private')")
        for number, role in ((1, "user"), (2, "assistant")):
            told = json.dumps({"role": role})
            database.execute("INSERT INTO message VALUES (?, 's1', ?, ?)", (f"m{number}", number, told))
        state = {"status": "completed", "input": {"path": "a"}, "output": "alpha"}
        parts = [{"type": "text", "text": "Read it"}, {"type": "tool", "tool": "read", "callID": "c", "state": state}]
        for number, part in enumerate(parts, start=1):
            database.execute("INSERT INTO part VALUES (?, ?, 's1', ?)", (f"p{number}", f"m{number}", json.dumps(part)))
    database.close()
    before = path.read_bytes()
    lines = read(path)
    (task,) = read_trajectories(lines)
    assert not isinstance(task, BadLine)
    assert (task.query, task.meta["cwd"]) == ("Read it", "/srv/app")
    assert [(step.function, step.arguments, step.result) for step in task.steps] == [
        ("opencode.read", {"path": "a"}, "alpha")
    ]
    assert "private" not in "".join(lines)
    assert path.read_bytes() == before
