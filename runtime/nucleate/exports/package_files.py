"""Tools as a plain Python package: installable, without Nucleate, with the runs that judged them as its tests."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from nucleate.errors import InputInvalid
from nucleate.exports.library_files import Files
from nucleate.exports.modules import Closed, carried, closed_modules, template
from nucleate.exports.schemas.short_descriptions import summary
from nucleate.exports.tool_folder import tool_files
from nucleate.versions import candidate_of, evidence_of
from nucleate_codifier.repository import visible
from nucleate_codifier.repository.find import EXAMPLES
from nucleate_sandbox import Effect, FunctionSpec, PackageError, closure_lock, read_requirements

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,60}")
LOCKED = "requirements.txt"


@dataclass(frozen=True, kw_only=True)
class Package:
    """The distribution's name and version; the package is imported by the name with underscores."""

    name: str
    version: str = "0.1.0"

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or not self.module.isidentifier():
            raise InputInvalid(f"{self.name!r} is no name for a package; write letters, digits and hyphens")
        try:
            Version(self.version)
        except InvalidVersion as error:
            raise InputInvalid(f"{self.version!r} is no version of a package; write '1.2.0'") from error

    @property
    def module(self) -> str:
        """Return the name that is imported."""
        return canonicalize_name(self.name).replace("-", "_")


def package_files(items: Sequence[Closed], package: Package, functions: Mapping[str, FunctionSpec]) -> Files:
    """Return the files of a package with these tools, all of one environment."""
    left_out: dict[str, str] = {}
    modules = closed_modules(package.module, items, left_out)
    held = [item for item in items if item.tool.name not in left_out]
    if not held:
        raise InputInvalid(f"none of the tools can be in a package: {'; '.join(left_out.values()) or 'there are none'}")
    lock = _lock(held, left_out)
    inside = {
        **carried(),
        "__init__.py": _init(held),
        "tools/__init__.py": '"""The tools, a module each."""\n',
        **modules,
    }
    return Files(
        files={
            "pyproject.toml": _project(package, held),
            "README.md": _readme(package, held, locked=bool(lock)),
            **{f"src/{package.module}/{path}": text for path, text in inside.items()},
            **_tests(package, held, functions),
            **({LOCKED: lock} if lock else {}),
        },
        tools=tuple(item.tool.name for item in held),
        left_out=left_out,
    )


def _init(held: Sequence[Closed]) -> str:
    names = sorted(item.tool.name for item in held)
    lines = ['"""Tools that were written and tested by Nucleate; bind an environment, and call them."""', ""]
    lines += ["from ._binding import FunctionError, bind, using"]
    lines += [f"from .tools.{name} import {name}" for name in names]
    every = sorted(["FunctionError", "bind", "using", *names])
    return "\n".join([*lines, "", f"__all__ = {json.dumps(every)}", ""])


def _project(package: Package, held: Sequence[Closed]) -> str:
    sources = [version.source for item in held for version in item.closure]
    values = {
        "distribution": json.dumps(canonicalize_name(package.name)),
        "version": json.dumps(package.version),
        "description": json.dumps(
            f"{_count(held)} for the environment {visible(held[0].tool.scope)}", ensure_ascii=False
        ),
        "dependencies": json.dumps(list(read_requirements(*sources))),
        "package": package.module,
    }
    return template("package_pyproject.toml.txt", values)


def _readme(package: Package, held: Sequence[Closed], *, locked: bool) -> str:
    rows = [
        f"| `{item.tool.name}` | {_cell(summary(item.tool.version.signature.doc))} | {_calls(item)} |" for item in held
    ]
    note = f"\n`{LOCKED}` holds the exact packages that the tools were judged with.\n" if locked else ""
    values = {
        "distribution": canonicalize_name(package.name),
        "count": _count(held),
        "scope": visible(held[0].tool.scope),
        "package": package.module,
        "first": held[0].tool.name,
        "table": "\n".join(rows),
        "locked": note,
    }
    return template("package_readme.md.txt", values)


def _tests(package: Package, held: Sequence[Closed], functions: Mapping[str, FunctionSpec]) -> dict[str, str]:
    files = {"tests/test_recorded_runs.py": template("test_recorded_runs.py.txt", {"package": package.module})}
    for item in held:
        version = item.tool.version
        made = tool_files(candidate_of(version), evidence_of(version))
        if f"{version.name}{EXAMPLES}" in made:
            files[f"tests/runs/{version.name}.jsonl"] = made[f"{version.name}{EXAMPLES}"]
    return {**files, "tests/runs/reads.json": json.dumps(reads(functions), indent=2) + "\n"}


def reads(functions: Mapping[str, FunctionSpec]) -> list[str]:
    """Return the functions that change nothing."""
    return sorted(name for name, spec in functions.items() if spec.effect is Effect.READ)


def _lock(held: Sequence[Closed], left_out: dict[str, str]) -> str:
    """Return the packages of all tools, exactly; none where two of them were judged with different ones."""
    try:
        return closure_lock("", [version.lock for item in held for version in item.closure]).text
    except PackageError as error:
        left_out[LOCKED] = str(error)
        return ""


def _calls(item: Closed) -> str:
    names = sorted({name for version in item.closure for name in version.capabilities})
    return ", ".join(f"`{name}`" for name in names) or "nothing"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _count(held: Sequence[Closed]) -> str:
    return "One tool" if len(held) == 1 else f"{len(held)} tools"
