"""Each package's `__init__` is its API: sorted, true and documented."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from tests.project.places import PACKAGES, ROOT, modules

INITS = [path for path in modules() if path.name == "__init__.py" and path.parent in PACKAGES]


@pytest.mark.parametrize("path", INITS, ids=lambda path: path.parent.name)
def test_all_is_sorted_and_every_name_in_it_exists(path: Path) -> None:
    package = importlib.import_module(path.parent.name)
    names = list(package.__all__)
    assert names == sorted(names, key=_isort_order)
    assert [name for name in names if not hasattr(package, name)] == []


@pytest.mark.parametrize("path", INITS, ids=lambda path: path.parent.name)
def test_all_names_everything_public_that_the_init_imports(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module != "__future__"]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    public = {name for name in imported if not name.startswith("_")}
    assert public - set(importlib.import_module(path.parent.name).__all__) == set()


def test_a_module_says_its_one_idea_in_its_first_line() -> None:
    assert [_name(path) for path in modules() if not _begins_with_a_sentence(path)] == []


def test_a_module_carries_no_unfinished_mark() -> None:
    marks = ("TO" + "DO", "FIX" + "ME", "NotImplemented" + "Error")
    texts = {_name(path): path.read_text(encoding="utf-8") for path in modules()}
    assert [(name, mark) for name, text in texts.items() for mark in marks if mark in text] == []


def _begins_with_a_sentence(path: Path) -> bool:
    first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]
    return first.endswith((".", "!", "?", ":", ";"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _isort_order(name: str) -> tuple[int, str]:
    """Order as ruff's RUF022 does: constants, then classes, then the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)
