"""What the product imports is declared, once, and what is declared is used."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.project.imports import OWN, imported, modules_of

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Imported where somebody uses the library already, or in the sandbox's image, which has its own.
ELSEWHERE = {"anthropic", "langchain-core", "litellm", "openai", "psycopg", "pydantic-ai-slim", "pytest", "smolagents"}
# Read, run or found without an import: a model's files, a command.
WITHOUT_IMPORT = {"wordllama", "tree-sitter", "tree-sitter-bash", "zstandard", "pydantic-monty"}


def names(lines: Iterable[str]) -> list[str]:
    return [canonicalize_name(Requirement(line).name) for line in lines]


def of_others() -> dict[str, set[str]]:
    """Return the distributions that each imported root may come from."""
    roots = {name.partition(".")[0] for package in OWN for module in modules_of(package) for name in imported(module)}
    installed = packages_distributions()
    return {
        root: {canonicalize_name(item) for item in installed[root]} for root in roots - set(OWN) if root in installed
    }


def test_every_package_that_the_product_imports_is_declared() -> None:
    declared = {*names(PROJECT["dependencies"]), *names(PROJECT["optional-dependencies"]["web"]), *ELSEWHERE}
    monty = {"pydantic-monty-client"}  # the package in which the module of pydantic-monty comes
    missing = {root: found for root, found in of_others().items() if not (found & (declared | monty))}
    assert missing == {}


def test_no_package_is_declared_twice_or_for_nothing() -> None:
    declared = names(PROJECT["dependencies"])
    assert sorted(set(declared)) == sorted(declared)
    imported_ones = {name for found in of_others().values() for name in found}
    assert set(declared) - imported_ones - WITHOUT_IMPORT == set()
