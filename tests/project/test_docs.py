"""The pages: prose that fits a line, and one navigation in which each of them stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.project.places import ROOT

PAGES = sorted((ROOT / "docs").rglob("*.md"))
PROSE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]
NAVIGATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]


@pytest.mark.parametrize("path", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_line_of_prose_has_at_most_120_characters(path: Path) -> None:
    assert [line for line in _prose(path.read_text(encoding="utf-8")) if len(line) > 120] == []


def test_every_page_stands_in_the_navigation_once() -> None:
    named = sorted(_files(yaml.safe_load(f"nav:{NAVIGATION}")["nav"]))
    assert named == sorted(str(path.relative_to(ROOT / "docs")) for path in PAGES)


def _prose(text: str) -> list[str]:
    """Return the lines that are no code, no row of a table, no heading, and no single word or code that cannot be broken."""
    outside = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = (line for line in outside.splitlines() if not line.startswith(("|", "#", "<", "![")))
    return [line for line in lines if " " in re.sub(r"`[^`]*`", "`", line).strip()]


def _files(entry: object) -> list[str]:
    if isinstance(entry, dict):
        return [file for item in entry.values() for file in _files(item)]
    return [file for item in entry for file in _files(item)] if isinstance(entry, list) else [str(entry)]
