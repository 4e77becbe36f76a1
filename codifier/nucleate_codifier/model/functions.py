"""The environment's functions on demand: found by words, described one by one, never listed whole."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping

from nucleate_codifier.model.brief import Rank
from nucleate_codifier.model.prompting import render
from nucleate_sandbox import FunctionSpec, Json

MOST_FOUND = 8


def search_functions(functions: Mapping[str, FunctionSpec], query: str, *, rank: Rank) -> str:
    """Return the functions that fit the words best, a line each."""
    documents = {name: f"{name} {spec.doc}" for name, spec in functions.items()}
    found = [name for name, _score in rank(query, documents)[:MOST_FOUND]]
    lines = "\n".join(_line(functions[name]) for name in found)
    return render("found", lines=lines or "(the environment has no functions)")


def describe_function(functions: Mapping[str, FunctionSpec], name: str) -> str:
    """Return one function's documentation and schemas, or the names nearest to one that does not exist."""
    spec = functions.get(name)
    if spec is None:
        near = ", ".join(f"`{item}`" for item in difflib.get_close_matches(name, sorted(functions), n=3, cutoff=0.3))
        return render("unknown_function", name=name, near=near or "none; search for what it should do")
    return render(
        "described",
        name=name,
        effect=spec.effect.value,
        doc=spec.doc.strip() or "(no documentation)",
        parameters=_indented(dict(spec.parameters)),
        returns=_indented(dict(spec.returns)),
    )


def _line(spec: FunctionSpec) -> str:
    first = spec.doc.strip().partition("\n")[0]
    properties = spec.parameters.get("properties")
    names = ", ".join(properties) if isinstance(properties, dict) else ""
    return f"* `{spec.name}({names})` ({spec.effect.value}): {first or 'no documentation'}"


def _indented(value: Json) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True)
