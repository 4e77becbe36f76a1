"""docs/architecture.md: the picture is the house as it is, and every place and word on the page exists."""

from __future__ import annotations

import re

from scripts.house import ROOT, classes, read_modules
from scripts.picture import PICTURE, draw

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
QUOTED = re.findall(r"`([^`\n]+)`", PAGE)
MODULES = read_modules()


def test_the_picture_is_drawn_from_the_imports_as_they_are() -> None:
    assert PICTURE.read_text(encoding="utf-8") == draw(), "run: python -m scripts.picture"


def test_every_module_on_the_page_exists() -> None:
    named = {word for word in QUOTED if re.fullmatch(r"nucleate(_[a-z]+)*(\.[a-z_]+)*", word)}
    assert sorted(named - MODULES.keys()) == []


def test_every_file_and_folder_on_the_page_exists() -> None:
    named = {word for word in QUOTED if re.fullmatch(r"[a-z_]+(/[a-z_]+)+(\.[a-z]+|/)", word)}
    assert sorted(place for place in named if not (ROOT / place).exists()) == []


def test_every_word_of_the_glossary_is_a_class() -> None:
    rows = re.findall(r"^\| [a-z]+ \| `(\w+)` \|", PAGE.partition("## Words")[2], re.MULTILINE)
    assert rows
    known = classes(MODULES)
    assert [name for name in rows if name not in known] == []
