"""Reports keep their shape."""

from __future__ import annotations

import json
from pathlib import Path

from evals.report import Report, write_bars, write_json


def test_a_report_is_written_with_its_name_figures_and_rows(tmp_path: Path) -> None:
    path = tmp_path / "out" / "x.json"
    write_json(Report(name="x", figures={"admitted": 3}, rows=[{"task": "t1"}]), path)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert sorted(document) == ["commit", "date", "eval", "figures", "machine", "rows"]
    assert (document["eval"], document["figures"], document["rows"]) == ("x", {"admitted": 3}, [{"task": "t1"}])


def test_a_chart_is_a_png(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    write_bars(path, "Calls", {"before": 5.7, "after": 4.1}, unit="calls per task")
    assert path.read_bytes().startswith(b"\x89PNG")
