"""The examples of docs/environments.md do what the page says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "environments.md"


def test_the_examples_of_the_page_run_in_order(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks), encoding="utf-8")

    assert len(blocks) == 7
    assert runpy.run_path(str(script))["page"]["count"] == 100
