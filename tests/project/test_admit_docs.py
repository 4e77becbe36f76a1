"""docs/admit.md: its first tool, step by step, is admitted, and every key and option in it exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nucleate.cli.admit.admit import Format
from nucleate.environments import read_functions
from nucleate_codifier.repository import (
    DescribedFunctions,
    JudgingSetup,
    NoVerdicts,
    graph_of,
    judge_tools,
    open_repository,
)
from nucleate_codifier.repository.config import Config
from nucleate_codifier.rulebook import RULES
from nucleate_codifier.values import Decision
from tests.doubles import InProcessSandbox
from tests.project.places import ROOT

PAGE = (ROOT / "docs" / "admit.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
STEPS = (
    "pyproject.toml",
    "shop.functions.json",
    "tools/cheapest_in_stock.py",
    "tools/cheapest_in_stock.examples.jsonl",
)


def _functions(text: str, name: str) -> DescribedFunctions:
    found = read_functions(text, environment=name)
    return DescribedFunctions(name=found.environment, functions=found.functions)


def test_the_first_tool_is_admitted_as_the_page_says(tmp_path: Path) -> None:
    for name, (_, text) in zip(STEPS, BLOCKS[: len(STEPS)], strict=True):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = open_repository([tmp_path / "tools"], read_functions=_functions)
    bench = JudgingSetup(sandbox=InProcessSandbox(), memory=NoVerdicts())
    (judged,) = judge_tools(graph_of(found.tools), found.asked, bench)
    assert judged.verdict.findings == ()
    assert judged.verdict.decision is Decision.ADMITTED


@pytest.mark.parametrize("name", [*Config.model_fields, *(item.value for item in Format)])
def test_every_key_and_format_is_on_the_page(name: str) -> None:
    assert f"| `{name}` |" in PAGE


def test_every_rule_on_the_page_exists() -> None:
    named = re.findall(r"`((?:parse|policy|closure|types|generality|safety|compile|tests|replay)/[a-z-]+)`", PAGE)
    assert [rule for rule in named if rule not in RULES] == []
