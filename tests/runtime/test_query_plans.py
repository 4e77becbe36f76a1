"""What is asked all the time is found by an index: at ten thousand of everything, PostgreSQL reads no large table whole.

The statements are those that the product sends while it works, and the plans are the server's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from nucleate.database import open_database
from nucleate.jobs import Jobs
from nucleate_codifier import Recurrence
from nucleate_text_memory import TextMemory
from nucleate_tool_library import State, ToolLibrary
from nucleate_tool_library.trials.canaries import Canaries
from tests.postgres import copied_database
from tests.text_memory.runs import LetterEmbedder, ok, run
from tests.tool_library.doubles import version

ROWS = 10_000
FILLED = {
    "task": "(id, scope, query, input_key) SELECT 't'||i, 's'||mod(i, 10), 'q', 'k'||i",
    "trajectory": "(task_id, content_hash, recorded_at) SELECT 't'||i, 'h'||i, now()",
    "step": "(task_id, position, function, arguments, result) SELECT 't'||i, 0, 'f', '{}', '1'",
    "candidate_evidence": "(key, kind, input_key, task_id, start, stop) SELECT 'p'||mod(i, 500), 'plan', 'k'||i, 't'||i, 0, 2",
    "entry": "(id, position, key, kind, scope, title, body, signature, source, confidence, valid, valid_from, content,"
    " content_hash, author, trust, status, sensitivity, importance, recorded_at, use_count) SELECT 'e'||i, i, 'p'||i,"
    " 'plan', 's'||mod(i, 10), 'x', 'y', '[]', 'task:t'||i, 0.5, true, now(), '', '', '', 'agent', 'active', 'internal', 0.5,"
    " now(), 0",
    "entry_link": "(entry_id, relation, target, start, stop) SELECT 'e'||i, 'evidence', 't'||i, 0, 1",
    "entry_event": "(entry_id, at, action, author, why, other) SELECT 'e'||i, now(), 'added', '', '', ''",
    "tool_version": "(id, name, scope, source, signature, tests, evidence, template, verdict, created_at)"
    " SELECT 'v'||i, 'n'||i, 's'||mod(i, 10), 'x', '{}', '{}', '[]', 'null', '{}', now()",
    "tool": "(name, scope, export_key, state, number, version_id, created_at)"
    " SELECT 'n'||i, 's'||mod(i, 10), 'n'||i, 'active', 1, 'v'||i, now()",
    "release": "(tool_id, version_id, number, to_state, by, why, at) SELECT i, 'v'||i, 1, 'active', 'x', '', now()",
    "usage": "(version_id, tool_id, uses, passes) SELECT 'v'||i, i, 0, 0",
    "closure": "(version_id, member_id, depth) SELECT 'v'||i, 'v'||i, 0",
    "invocation": "(version_id, ok, milliseconds, calls, path, at) SELECT 'v'||i, true, 1, 1, 'cli', now()",
    "job": "(key, kind, subject, state, owner, attempts, error, created_at, lane, turn, priority, token, deaths)"
    " SELECT 'j'||i, 'observe', 'x', 'done', '', 1, '', now(), 's'||mod(i, 10), i, 40, 1, 0",
    "recurrence": "(plan_id, task_id, input_key, related) SELECT 'e'||mod(i, 500), 't'||i, 'k'||i, false",
}


@pytest.fixture(scope="module")
def engine(postgres: tuple[Path, Path]) -> Iterator[Engine]:
    engine = open_database(copied_database(*postgres))
    with engine.begin() as connection:
        for table, rows in FILLED.items():
            connection.exec_driver_sql(f"INSERT INTO {table} {rows} FROM generate_series(1, {ROWS}) AS i")
        connection.exec_driver_sql("ANALYZE")
    ToolLibrary(engine).register(version("a"), state=State.ACTIVE, approved_by="ada")
    memory_of(engine).store(run("first", ok("shop.a"), ok("shop.b"), environment="s1"))
    yield engine
    engine.dispose()


def memory_of(engine: Engine) -> TextMemory:
    return TextMemory(engine, embedder=LetterEmbedder())


ASKED: dict[str, Callable[[Engine], object]] = {
    "store a run": lambda engine: memory_of(engine).store(run("new", ok("shop.a"), ok("shop.b"), environment="s1")),
    "reflect": lambda engine: memory_of(engine).reflect("first"),
    "the plans of a run": lambda engine: memory_of(engine).followed(memory_of(engine).trajectory("first")),
    "the inputs of a plan": lambda engine: memory_of(engine).inputs("e7"),
    "the occurrences of a plan": lambda engine: memory_of(engine).occurrences("e7"),
    "count uses": lambda engine: memory_of(engine).used(["e1", "e2"]),
    "an entry": lambda engine: memory_of(engine).entry("e1"),
    "the history of an entry": lambda engine: memory_of(engine).history("e1"),
    "what ended": lambda engine: memory_of(engine).ended(ROWS - 5),
    "a tool": lambda engine: ToolLibrary(engine).tool("a", "shop"),
    "a tool of any scope": lambda engine: ToolLibrary(engine).tool("a"),
    "a closure": lambda engine: ToolLibrary(engine).close(["a"], "shop"),
    "the revision": lambda engine: ToolLibrary(engine).revision(),
    "register": lambda engine: ToolLibrary(engine).register(
        version("b", version("a")), state=State.ACTIVE, approved_by="ada"
    ),
    "how a tool stands": lambda engine: Canaries(engine).standing("a", "shop"),
    "count a call": lambda engine: ToolLibrary(engine).record_invocation(
        version("a").id, ok=True, milliseconds=1, calls=1, path="cli"
    ),
    "the history of a tool": lambda engine: ToolLibrary(engine).history("a", "shop"),
    "who calls a tool": lambda engine: ToolLibrary(engine).dependents("a", "shop"),
    "queue a job": lambda engine: Jobs(engine).put("observe", "x", key="new"),
    "lease a job": lambda engine: Jobs(engine).lease(),
    "whether jobs wait": lambda engine: Jobs(engine).pending(),
    "count an input": lambda engine: Recurrence(engine).select("e7", task_id="new", input_key="new"),
    "a plan's buffer": lambda engine: Recurrence(engine).buffer("e7"),
}


@pytest.mark.parametrize("asked", ASKED)
def test_no_large_table_is_read_whole(engine: Engine, asked: str) -> None:
    sent: list[tuple[str, Any]] = []

    def listen(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        if not many and statement.startswith(("SELECT", "UPDATE", "DELETE")) and "pg_" not in statement:
            sent.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", listen)
    ASKED[asked](engine)
    event.remove(engine, "before_cursor_execute", listen)
    assert sent
    with engine.connect() as connection:
        plans = [connection.exec_driver_sql(f"EXPLAIN {one}", values).scalars().all() for one, values in sent]
    whole = [line.strip() for plan in plans for line in plan if "Seq Scan on" in line]
    assert [line for line in whole if line.partition("Seq Scan on ")[2].split()[0] in FILLED] == []
