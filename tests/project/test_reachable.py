"""Every public function, class and method of the product is used by the product, or is its API, or waits by name."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.project.imports import OWN

ROOT = Path(__file__).parents[2]
FOLDERS = ("sandbox", "text_memory", "tool_library", "codifier", "runtime")
# Written and tested, and called by nothing until value and gain are wired.
WAITING = {"abstract", "activation_score", "gain", "terminal_reward"}
# Written, tested, and next to be called by what codifies from recordings.
NEXT = {"holds_mark"}
# Imported by programs of others from the module itself, as the documentation says, or by an exported package.
BY_PROGRAMS = {"LangChainRecorder", "PydanticAiRecorder", "ScriptedModel", "TrajectorySpans", "read_runs"}
# Called by a library that finds them by their names: the object protocol of Monty, click, MCP, pydantic, OpenTelemetry,
# smolagents, pydantic-ai, a migration, a visitor of syntax trees, pytest in the container.
BY_LIBRARIES = re.compile(
    r"(get_eager|lookup_lazy)_attrs|call_method|list_commands|get_short_help_str|last_context|verify_token|field_title_should_be_set"
    r"|get_field_value|settings_customise_sources|force_flush|forward|wrap_tool_execute|upgrade|downgrade"
    r"|(visit|leave|on|do|pytest|process)_\w+|test_\w+"
)
PASSIVE = {"cache", "lru_cache", "dataclass", "property", "cached_property", "classmethod", "staticmethod"} | {
    "contextmanager",
    "asynccontextmanager",
    "runtime_checkable",
}


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax of every file of the product, but for the demo shop, whose functions agents call by name."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in files if "shop" not in path.parts}


def defined() -> Iterator[tuple[str, str]]:
    """Yield (name, place) of every public definition that no decorator hands to somebody; a table is one by itself."""
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
                continue
            handed = any(_name(item) not in PASSIVE for item in node.decorator_list)
            table = isinstance(node, ast.ClassDef) and any(keyword.arg == "table" for keyword in node.keywords)
            if not handed and not table and not BY_LIBRARIES.fullmatch(node.name):
                yield node.name, f"{path.relative_to(ROOT)}:{node.lineno}"


def used() -> frozenset[str]:
    """Return every name that the product reads, imports under another, matches on, or names as `module:name`."""
    found: set[str] = set()
    for tree in trees().values():
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    found.add(name)
                case ast.alias(name=name, asname=str()):
                    found.add(name.rpartition(".")[2])
                case ast.MatchClass(kwd_attrs=names):
                    found.update(names)
                case ast.Constant(value=str(text)) if re.fullmatch(r"[\w.]+:\w+", text):
                    found.add(text.rpartition(":")[2])
    return frozenset(found)


def api() -> frozenset[str]:
    """Return what the packages export, with the methods of what `nucleate` itself exports."""
    names = {
        name for package in (*OWN, *_subpackages()) for name in getattr(importlib.import_module(package), "__all__", ())
    }
    front = importlib.import_module("nucleate")
    return frozenset(names | {method for name in front.__all__ for method in dir(getattr(front, name))})


def _subpackages() -> list[str]:
    """Return the packages that a program imports from by themselves, as the documentation says."""
    return ["nucleate.exports.schemas", "nucleate.recording", "nucleate_text_memory.retrieval"]


def _name(decorator: ast.expr) -> str:
    return ast.unparse(decorator).partition("(")[0].rpartition(".")[2]


def test_nothing_public_is_written_for_tests_alone() -> None:
    known = used() | api() | WAITING | NEXT | BY_PROGRAMS
    assert [f"{name} ({place})" for name, place in defined() if name not in known] == []


def test_what_waits_is_there() -> None:
    assert {name for name, _ in defined()} >= WAITING
