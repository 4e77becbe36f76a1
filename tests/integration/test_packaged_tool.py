"""A tool with a third-party package: declared, locked by the command, judged in containers, refused without its lock."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nucleate_sandbox import DockerSandbox

pytestmark = [pytest.mark.docker, pytest.mark.slow]

PROJECT = """[tool.nucleate]
environment = "shop.functions.json"
tools = ["tools"]
allowed_imports = ["humanize"]
"""
OFFERS = {
    "type": "array",
    "items": {"type": "object", "required": ["stock"], "properties": {"stock": {"type": "integer"}}},
}
SEARCH = {
    "name": "shop.search",
    "doc": "List the offers of a category.",
    "effect": "read",
    "parameters": {"type": "object", "properties": {"category": {"type": "string"}}, "required": ["category"]},
    "returns": {"type": "object", "required": ["offers"], "properties": {"offers": OFFERS}},
}
SOURCE = '''# /// script
# dependencies = ["humanize==4.12.3"]
# ///
import humanize


def spoken_stock(category: str) -> str:
    """Return how many pieces of a category are in stock, with commas."""
    total = 0
    for offer in env.shop.search(category=category)["offers"]:
        total += offer["stock"]
    return humanize.intcomma(total)
'''
RUNS = [
    ("How many lamps are there in all?", "lamps", "1,203", [1200, 3], False),
    ("Count our chairs please", "chairs", "2,000,005", [2_000_000, 5], False),
    ("The stock of desks?", "desks", "0", [], False),
    ("And rugs, what do we have", "rugs", "12,345", [12_345], True),
]


def example(query: str, category: str, result: str, stocks: list[int], held_out: bool) -> str:
    arguments = {"category": category}
    call = {"function": "shop.search", "arguments": arguments, "result": {"offers": [{"stock": n} for n in stocks]}}
    run = {"query": query, "arguments": arguments, "result": result, "calls": [call], "held_out": held_out}
    return json.dumps(run)


@pytest.fixture
def repository(tmp_path: Path, docker_sandbox: DockerSandbox) -> Path:
    (tmp_path / "tools").mkdir()
    for name, text in {
        "pyproject.toml": PROJECT,
        "shop.functions.json": json.dumps({"environment": "shop", "functions": [SEARCH]}),
        "tools/spoken_stock.py": SOURCE,
        "tools/spoken_stock.examples.jsonl": "\n".join(example(*run) for run in RUNS) + "\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def nucleate(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("nucleate")), "--sandbox", "docker", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


def test_a_tool_is_admitted_with_the_lock_of_what_it_declares(repository: Path) -> None:
    lock = nucleate(repository, "sandbox", "lock", "tools/spoken_stock.py").stdout
    (repository / "tools/spoken_stock.requirements.txt").write_text(lock, encoding="utf-8")
    judged = nucleate(repository, "admit", "--no-cache")
    assert (judged.returncode, "1 tool: 1 admitted" in judged.stdout) == (0, True), judged.stdout + judged.stderr


def test_without_a_lock_it_is_refused_and_told_how_to_make_one(repository: Path) -> None:
    judged = nucleate(repository, "admit", "--no-cache")
    assert (judged.returncode, "unlocked-package" in judged.stdout) == (1, True), judged.stdout + judged.stderr
