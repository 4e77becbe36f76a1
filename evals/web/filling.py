"""A large library for the page: rows like those that learning leaves, written directly."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from nucleate.database import all_tables, open_database

VERBS = ("find", "send", "create", "update", "cancel", "list", "refund", "reorder", "export", "close")
NOUNS = ("order", "customer", "payment", "parcel", "invoice", "ticket", "supplier", "product", "address", "report")
STATES = ("active",) * 16 + ("candidate", "suspect", "deprecated", "archived")
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
_PART = 2_000


def fill(place: Path, *, tools: int, entries: int, tasks: int, jobs: int) -> None:
    """Make a database with so many tools, entries, tasks and jobs; the same one each time."""
    chance = random.Random(7)
    engine = open_database(str(place))
    tables = {name: list(rows) for name, rows in _tools(chance, tools)}
    tables |= {"environment": [_environment()], "entry": list(_entries(chance, entries))}
    tables |= {name: list(rows) for name, rows in _tasks(chance, tasks)}
    tables["job"] = [_job(chance, number) for number in range(1, jobs + 1)]
    with engine.begin() as connection:
        for name, rows in tables.items():
            _write(connection, name, rows)
    engine.dispose()


def _write(connection: Connection, name: str, rows: Sequence[dict[str, Any]]) -> None:
    table = all_tables().tables[name]
    for start in range(0, len(rows), _PART):
        connection.execute(insert(table), rows[start : start + _PART])


def _name(chance: random.Random, number: int) -> str:
    return f"{chance.choice(VERBS)}_{chance.choice(NOUNS)}_and_{chance.choice(VERBS)}_{number}"


def _tools(chance: random.Random, count: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    parts: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("tool_version", "tool", "closure", "capability", "usage", "release", "invocation")
    }
    for number in range(1, count + 1):
        name, key, at = _name(chance, number), f"{number:064x}", EPOCH + timedelta(minutes=number)
        doc = f"{name.replace('_', ' ').capitalize()} by its id, and say what became of it."
        source = (
            f'def {name}(order_id: str) -> dict[str, str]:\n    """{doc}"""\n'
            + "    step = env.shop.call(order_id)\n" * 25
        )
        example = {
            "task_id": f"task-{number}",
            "query": f"Please {name}",
            "arguments": {"order_id": "O-1"},
            "result": {"text": "x" * 600},
            "calls": [{"function": "shop.call", "arguments": {}, "result": {}}] * 4,
        }
        gates: list[dict[str, Any]] = [
            {"gate": gate, "status": "passed", "findings": [], "counts": {}} for gate in ("parse", "tests", "replay")
        ]
        signature = {
            "name": name,
            "text": f"def {name}(order_id: str) -> dict[str, str]",
            "doc": doc,
            "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}},
            "returns": {},
        }
        parts["tool_version"].append(
            {
                "id": key,
                "name": name,
                "scope": "shop",
                "source": source,
                "signature": json.dumps(signature),
                "tests": "{}",
                "evidence": json.dumps({"seen": [example] * 3, "held_out": [example] * 2}),
                "template": "{}",
                "verdict": json.dumps({"decision": "admitted", "gates": gates}),
                "lock": "",
                "author": "",
                "prompt_hash": "",
                "schemas": "{}",
                "summary": doc,
                "created_at": at,
            }
        )
        state = chance.choice(STATES)
        parts["tool"].append(
            {
                "id": number,
                "name": name,
                "scope": "shop",
                "export_key": name,
                "state": state,
                "number": 1,
                "version_id": key,
                "plan_id": None,
                "release": "1.0.0",
                "pinned": False,
                "created_at": at,
            }
        )
        parts["closure"].append({"version_id": key, "member_id": key, "depth": 0})
        parts["capability"].append({"version_id": key, "function": f"shop.call_{number % 40}", "position": 0})
        uses = chance.choice((0, 0, 3, 12))
        parts["usage"].append({"version_id": key, "tool_id": number, "uses": uses, "passes": uses})
        parts["release"].append(
            {
                "tool_id": number,
                "version_id": key,
                "number": 1,
                "release": "1.0.0",
                "from_state": None,
                "to_state": state,
                "action": "registered",
                "by": "admission",
                "why": "registered",
                "at": at,
            }
        )
        parts["invocation"] += [
            {"version_id": key, "ok": True, "milliseconds": 9.0, "calls": 5, "path": "agent", "error": None, "at": at}
        ] * uses
    yield from parts.items()


def _environment() -> dict[str, Any]:
    effects = ("read", "read", "write", "destructive")
    functions = {
        f"shop.call_{number}": {
            "doc": f"Call number {number}.",
            "parameters": {"type": "object"},
            "returns": {},
            "effect": effects[number % 4],
        }
        for number in range(40)
    }
    return {"name": "shop", "functions": json.dumps(functions), "updated_at": EPOCH}


def _entries(chance: random.Random, count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        kind = chance.choice(("plan", "fact", "pitfall"))
        at = EPOCH + timedelta(minutes=number)
        yield {
            "id": f"{kind}-{number:016x}",
            "position": number + 1,
            "key": f"k-{number}",
            "kind": kind,
            "scope": "shop",
            "title": f"{_name(chance, number).replace('_', ' ')}",
            "body": "A body of some words. " * 12,
            "signature": json.dumps(["shop.call_1", "shop.call_2"]),
            "source": f"task:task-{number}",
            "confidence": 0.8,
            "valid": True,
            "valid_from": at,
            "content": "",
            "content_hash": "",
            "author": "",
            "trust": "agent",
            "status": chance.choice(("active",) * 9 + ("quarantined",)),
            "sensitivity": "internal",
            "importance": 0.5,
            "recorded_at": at,
            "use_count": 0,
        }


def _tasks(chance: random.Random, count: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    numbers = range(1, count + 1)
    yield (
        "task",
        [
            {"id": f"task-{n}", "scope": "shop", "query": f"Please {_name(chance, n)} for me", "input_key": f"i-{n}"}
            for n in numbers
        ],
    )
    yield (
        "trajectory",
        [
            {
                "task_id": f"task-{n}",
                "content_hash": str(n),
                "success": n % 5 > 0,
                "meta": "{}",
                "selected": "[]",
                "said": "[]",
                "group": "",
                "recorded_at": EPOCH + timedelta(minutes=n),
            }
            for n in numbers
        ],
    )
    yield (
        "step",
        [
            {
                "task_id": f"task-{n}",
                "position": place,
                "function": f"shop.call_{place}",
                "arguments": '{"id": "O-1"}',
                "result": json.dumps({"text": "y" * 200}),
            }
            for n in numbers
            for place in range(6)
        ],
    )
    yield (
        "recurrence",
        [
            {"plan_id": f"plan-{n % 50:016x}", "input_key": f"i-{n}", "task_id": f"task-{n}", "related": n % 3 > 0}
            for n in numbers
        ],
    )


def _job(chance: random.Random, number: int) -> dict[str, Any]:
    state = "done" if number % 500 else chance.choice(("dead", "queued"))
    return {
        "key": f"job-{number}",
        "kind": "reflect",
        "subject": f"task-{number}",
        "state": state,
        "owner": "",
        "attempts": 1,
        "error": "it broke" if state == "dead" else "",
        "created_at": EPOCH,
        "lane": "shop",
        "turn": 1,
        "priority": 30,
        "token": 1,
        "deaths": 0,
    }
