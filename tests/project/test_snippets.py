"""What README and docs show as Python runs as it stands there, in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.places import ROOT
from tests.project.snippets import Snippet, snippets

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SNIPPETS = [snippet for page in PAGES for snippet in snippets(page)]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
def test_a_snippet_marked_to_run_does(snippet: Snippet, tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "NUCLEATE_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-W", "error", "-c", snippet.code]
    ran = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_only_marked_python_blocks_are_taken(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n```python\nnot taken\n```\n\n<!-- run -->\n```python\nx = 1\n```\n\n<!-- run -->\n```sh\nls\n```\n",
        encoding="utf-8",
    )
    assert snippets(page) == [Snippet(path=page, line=9, code="x = 1\n")]
