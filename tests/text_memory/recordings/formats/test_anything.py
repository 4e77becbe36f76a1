"""Whatever strangers write, a line is a task or a report of what is wrong with it, never an exception."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from nucleate_text_memory import FORMATS, BadLine, Trajectory, read_trajectories
from nucleate_text_memory.identity import content_hash
from nucleate_text_memory.redaction.redact import redact
from tests.text_memory.recordings import test_providers
from tests.text_memory.recordings.formats import test_gemini_cli, test_opencode
from tests.text_memory.recordings.formats.test_benchmarks import TALK, TURN, simulation
from tests.text_memory.recordings.formats.test_claude_code import agent, result, use, user
from tests.text_memory.recordings.formats.test_codex import ITEMS
from tests.text_memory.recordings.formats.test_mcp_log import TRAFFIC
from tests.text_memory.recordings.formats.test_otlp import AGENT, export, tool
from tests.text_memory.recordings.formats.test_streams_and_hooks import STREAM, event

LINES: list[Any] = [
    {"task_id": "t", "query": "q", "environment": "e", "steps": [{"function": "a.b", "arguments": {}, "result": 1}]},
    {"task_id": "t", "messages": TALK},
    {"task_id": 1, "trial": 0, "traj": TALK},
    *TALK,
    {"info": {"environment_info": {"domain_name": "d"}}, "simulations": [simulation("1", *TALK)]},
    {"id": "x", "result": [], "inference_log": [TURN]},
    user("Look", "u1"),
    agent("x", use("t1", "Read", path="a")),
    user([result("t1", [{"type": "text", "text": "x"}], is_error=True)]),
    *({"type": "response_item", "timestamp": "t", "payload": item} for item in ITEMS),
    *ITEMS,
    {"type": "session_meta", "timestamp": "t", "payload": {"id": "s"}},
    export(AGENT, tool("c", "x", 5, {"a": 1}, "y", parent="a")),
    *TRAFFIC,
    *({"id": "t", **line} for line in test_providers.LINES.values()),
    *(
        message
        for line in test_providers.LINES.values()
        for message in next(iter(line.values()))
        if isinstance(message, dict)
    ),
    test_gemini_cli.HEAD,
    test_gemini_cli.said("u", "x"),
    test_gemini_cli.done("m", test_gemini_cli.shell("ls", "a"), test_gemini_cli.call("f", {"error": "x"}, "error")),
    *({"type": "tool_use", "sessionID": "s", "part": part} for part in test_opencode.PARTS),
    {"info": {"id": "s", "directory": "/"}, "messages": [{"info": {"id": "m"}, "parts": [test_opencode.PROMPT]}]},
    {"table": "part", "id": "p", "session_id": "s", "message_id": "m", "data": json.dumps(test_opencode.PARTS[0])},
    {"table": "session", "id": "s", "model": '{"id": 1}'},
    *STREAM,
    event("PreToolUse", "Bash", "t"),
    event("PostToolUse", "Bash", "t", tool_response={"stdout": "x"}),
    event("PostToolBatch", tool_calls=[{"tool_use_id": "t", "tool_response": "x"}]),
    event("UserPromptSubmit", prompt="x"),
]
JUNK: list[Any] = [None, 7, "x", [], {}, True, 1e308, "\ud800", [None], {"a": None}, -1, "", [[]], "Error", "{", "\x00"]


def spoilt(value: Any, dice: random.Random) -> Any:
    """Return the value with some of its parts replaced or left out."""
    if dice.random() < 0.12:
        return dice.choice(JUNK)
    if isinstance(value, dict):
        return {key: spoilt(item, dice) for key, item in value.items() if dice.random() > 0.04}
    if isinstance(value, list | tuple):
        return [spoilt(item, dice) for item in value]
    return value


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", ["auto", *FORMATS])
def test_a_spoilt_line_is_read_or_reported(name: str, seed: int) -> None:
    dice = random.Random(f"{name}-{seed}")
    for _ in range(10):
        lines = [json.dumps(spoilt(dice.choice(LINES), dice)) for _ in range(6)]
        for item in read_trajectories(lines, format=name, environment="e"):
            assert isinstance(item, Trajectory | BadLine)
            if isinstance(item, Trajectory):
                cleaned = redact(item)
                content_hash(cleaned)
                json.dumps([cleaned.query, cleaned.meta, cleaned.task_id], ensure_ascii=False).encode()
