"""One tool as a folder: `NAME.py`, `NAME.examples.jsonl`, `tests/`, a lock where it has one, and `tool.json` about it.

The files are those that `nucleate admit` judges; `tool.json` is for readers, and nothing but its `content` is read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from nucleate.errors import InputInvalid
from nucleate.exports.folders import is_part
from nucleate.exports.schemas import Unrepresentable
from nucleate.versions import candidate_of, evidence_of
from nucleate_codifier import Candidate, Evidence, Example
from nucleate_codifier.example_json import example_json
from nucleate_codifier.repository.find import EXAMPLES, LOCK, NOT_FOLDERS, NOT_TOOLS, TESTS
from nucleate_sandbox import Json, JsonError, JsonObject, canonical, parse
from nucleate_tool_library import Tool, ToolVersion

ABOUT = "tool.json"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_TEST = re.compile(r"test_[A-Za-z0-9_]{1,80}\.py")


def tool_files(candidate: Candidate, evidence: Evidence) -> dict[str, str]:
    """Return the files that judge a tool, by their paths in its folder; equal content gives equal bytes."""
    runs = [*((run, False) for run in evidence.seen), *((run, True) for run in evidence.held_out)]
    files = {f"{candidate.name}.py": candidate.source}
    if runs:
        files[f"{candidate.name}{EXAMPLES}"] = "".join(f"{_line(run, held_out)}\n" for run, held_out in runs)
    if candidate.lock:
        files[f"{candidate.name}{LOCK}"] = candidate.lock
    return {**files, **{f"{TESTS}/{name}": text for name, text in sorted(candidate.tests.items())}}


def content_of(candidate: Candidate, evidence: Evidence) -> str:
    """Return the hash of what a tool's folder holds: equal when nobody changed anything."""
    return hashlib.sha256(canonical(dict(tool_files(candidate, evidence))).encode("utf-8", "replace")).hexdigest()


def content_of_version(version: ToolVersion) -> str:
    """Return the same of a version in the library."""
    return content_of(candidate_of(version), evidence_of(version))


def folder_of(tool: Tool, dependencies: Sequence[ToolVersion]) -> dict[str, str]:
    """Return a tool's whole folder, by paths that begin with its name; Unrepresentable where it cannot have one."""
    candidate, evidence = candidate_of(tool.version), evidence_of(tool.version)
    _check(candidate)
    files = tool_files(candidate, evidence)
    about = about_tool(tool, dependencies)
    try:
        "".join([*files.values(), about]).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Unrepresentable(f"it holds half of a character ({error.reason}), which no file can") from error
    return {f"{tool.name}/{path}": text for path, text in {**files, ABOUT: about}.items()}


def seen_contents(folder: Path) -> frozenset[str]:
    """Return the contents that the library had, or took on trial, when it last met this folder; none for a new one."""
    path = folder / ABOUT
    if not path.exists():
        return frozenset()
    try:
        about = parse(path.read_bytes())
    except (OSError, JsonError) as error:
        raise InputInvalid(
            f"{path.name} of {folder.name!r} cannot be read ({error}); take it away, or repair it"
        ) from error
    known = [about.get(key) for key in ("content", "on_trial")] if isinstance(about, dict) else []
    return frozenset(item for item in known if isinstance(item, str))


def check_name(name: str) -> None:
    """Raise Unrepresentable for a name that no file of a tool can have."""
    if not _NAME.fullmatch(name) or name.startswith("test_") or f"{name}.py" in NOT_TOOLS or name in NOT_FOLDERS:
        raise Unrepresentable(f"a file named {name!r:.80} would be no tool; rename it")


def _check(candidate: Candidate) -> None:
    check_name(candidate.name)
    for test in candidate.tests:
        if not _TEST.fullmatch(test) or not is_part(test):
            raise Unrepresentable(f"its test file {test!r:.80} is not named test_….py")


def about_tool(tool: Tool, dependencies: Sequence[ToolVersion], *, on_trial: str = "") -> str:
    """Return the text of `tool.json`; `on_trial` is the content that stands on trial beside the tool."""
    version, evidence = tool.version, evidence_of(tool.version)
    files = tool_files(candidate_of(version), evidence)
    about: JsonObject = {
        "name": tool.name,
        "scope": tool.scope,
        "release": tool.release,
        "state": tool.state.value,
        "signature": version.signature.text,
        "author": version.author,
        "plan": tool.plan_id,
        "capabilities": list[Json](version.capabilities),
        "dependencies": {item.name: item.id for item in sorted(dependencies, key=lambda item: item.name)},
        "evidence": {"seen": len(evidence.seen), "held_out": len(evidence.held_out)},
        "verdict": _verdict(version.verdict),
        "version": version.id,
        "content": content_of_version(version),
        "files": {path: hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() for path, text in files.items()},
        **({"on_trial": on_trial} if on_trial else {}),
    }
    return json.dumps(about, indent=2, ensure_ascii=False) + "\n"


def _verdict(verdict: JsonObject) -> JsonObject:
    """Return the decision and how each gate ended, without what was found and how long it took."""
    gates = verdict.get("gates")
    ended = [item for item in gates if isinstance(item, dict)] if isinstance(gates, list) else []
    return {"decision": verdict.get("decision"), "gates": {str(item.get("gate")): item.get("status") for item in ended}}


def _line(run: Example, held_out: bool) -> str:
    content: JsonObject = {**example_json(run), **({"held_out": True} if held_out else {})}
    return json.dumps(content, ensure_ascii=False)
