"""What is exported comes back exactly; what was tampered with on the way is refused line by line."""

from __future__ import annotations

import json
from pathlib import Path

from nucleate_text_memory import TextMemory
from tests.text_memory.database import open_engine
from tests.text_memory.runs import learn, ok, run
from tests.text_memory.telling import day, opens, seen


def _filled(memory: TextMemory) -> list[str]:
    learn(memory, *(run(task, ok("shop.a"), ok("shop.b")) for task in ("t1", "t2")))
    memory.add(opens("9", valid_from=day("2024-01-01")), by="ada", why="door")
    memory.add(opens("10", valid_from=day("2024-06-01")))
    memory.add(opens("3", source="tool:mail.read", evidence=seen()))
    memory.forget(memory.add(opens("7", scope="desk")).id, why="asked for")
    return memory.export()


def test_an_export_that_is_read_into_another_memory_is_exported_the_same(memory: TextMemory, tmp_path: Path) -> None:
    lines = _filled(memory)
    engine = open_engine(tmp_path / "other.db")
    other = TextMemory(engine)
    imported = other.import_lines(lines)
    assert (len(imported.added), imported.known, imported.bad) == (len(lines), 0, ())
    assert other.export() == lines
    assert other.entries() == memory.entries()
    assert [item.entry for item in other.select("opens", scope="shop")] == [
        item.entry for item in memory.select("opens", scope="shop")
    ]
    again = other.import_lines(lines)
    assert (again.added, again.known, again.bad) == ((), len(lines), ())
    engine.dispose()


def test_an_altered_line_is_refused_and_the_rest_is_read(memory: TextMemory, tmp_path: Path) -> None:
    lines = _filled(memory)
    value = json.loads(lines[-3])
    lines[-3] = json.dumps({**value, "body": "Shop opens at 4"})
    lines.insert(0, "{not json")
    engine = open_engine(tmp_path / "other.db")
    imported = TextMemory(engine).import_lines(lines)
    assert [bad.number for bad in imported.bad] == [1, len(lines) - 2]
    assert f"entry {value['id']!r} was altered since it was exported" in imported.bad[1].message
    assert len(imported.added) == len(lines) - 2
    engine.dispose()
