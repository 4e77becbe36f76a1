"""Tools as Agent Skills: a folder each, with SKILL.md, a script that a person can run, and evals from recorded runs."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

from nucleate.exports.library_files import Files
from nucleate.exports.modules import Closed, carried, closed_modules, template
from nucleate.exports.schemas import SLUG, mapped
from nucleate.exports.schemas.schema_values import mapping, strings
from nucleate.exports.schemas.short_descriptions import cut, shown, summary
from nucleate.exports.tool_folder import tool_files
from nucleate.versions import candidate_of, evidence_of
from nucleate_codifier import Example
from nucleate_codifier.repository.find import EXAMPLES
from nucleate_sandbox import (
    Effect,
    FunctionSpec,
    Json,
    JsonObject,
    PackageError,
    canonical,
    closure_lock,
    read_requirements,
)
from nucleate_tool_library import Tool

TOOLKIT = "_toolkit"
DESCRIPTION = 1024
COMPATIBILITY = 500
LONGEST = 2000
UNKNOWN = FunctionSpec(name="")


def skill_files(items: Sequence[Closed], functions: Mapping[str, Mapping[str, FunctionSpec]]) -> Files:
    """Return the folders of these tools; `functions` by environment. Each has a name of its own."""
    files: dict[str, str] = {}
    left_out: dict[str, str] = {}
    held: list[str] = []
    for skill, item in zip(skill_names([item.tool for item in items]), items, strict=True):
        modules = closed_modules(TOOLKIT, [item], left_out)
        if not modules:
            continue
        try:
            own = _skill(item, skill, functions.get(item.tool.scope, {}), modules)
        except PackageError as error:
            left_out[item.tool.name] = str(error)
            continue
        held.append(item.tool.name)
        files |= {f"{skill}/{path}": text for path, text in own.items()}
    return Files(files=files, tools=tuple(held), left_out=left_out)


def skill_names(tools: Sequence[Tool]) -> list[str]:
    """Return a skill's name for each tool, one of its own: lower-case words with hyphens."""
    crowd = Counter(tool.name for tool in tools)
    keys = [tool.name if crowd[tool.name] == 1 else f"{tool.scope}.{tool.name}" for tool in tools]
    names = mapped(keys, SLUG)
    return [names[key] for key in keys]


def served_skill(item: Closed, skill: str, functions: Mapping[str, FunctionSpec]) -> str:
    """Return the SKILL.md of a tool that a server offers: it is called there, and needs nothing here."""
    values = {"name": item.tool.name, "example": canonical(_example(item))}
    known = {call: functions.get(call, UNKNOWN) for call in _capabilities(item)}
    return _page(item, skill, known, run=template("skill_served.md.txt", values), needs="the server that offers it")


def _skill(
    item: Closed, skill: str, functions: Mapping[str, FunctionSpec], modules: Mapping[str, str]
) -> dict[str, str]:
    name, version = item.tool.name, item.tool.version
    known = {call: functions.get(call, UNKNOWN) for call in _capabilities(item)}
    lock = closure_lock(version.lock, [other.lock for other in item.closure[:-1]]).text
    inside = {**carried(), "__init__.py": "", "tools/__init__.py": "", **modules}
    recorded = tool_files(candidate_of(version), evidence_of(version)).get(f"{name}{EXAMPLES}")
    evidence = evidence_of(version)
    return {
        "SKILL.md": _page(item, skill, known, run=_run(item, known), needs=_what(known), locked=bool(lock)),
        f"scripts/{name}.py": _script(item, known),
        **{f"scripts/{TOOLKIT}/{path}": text for path, text in inside.items()},
        **({"scripts/requirements.txt": lock} if lock else {}),
        "evals/evals.json": _evals(skill, name, [*evidence.seen, *evidence.held_out]),
        **({f"evals/{name}.jsonl": recorded} if recorded else {}),
    }


def _page(
    item: Closed, skill: str, functions: Mapping[str, FunctionSpec], *, run: str, needs: str, locked: bool = False
) -> str:
    signature = item.tool.version.signature
    about = summary(signature.doc, DESCRIPTION // 2)
    instead = f" Use it instead of calling {', '.join(functions)} one by one." if functions else ""
    values = {
        "skill": skill,
        "name": item.tool.name,
        "description": _scalar(cut(f"{about}{instead}".strip() or item.tool.name, DESCRIPTION)),
        "compatibility": _scalar(cut(f"Needs {needs}.", COMPATIBILITY)),
        "metadata": "\n".join(f"  {key}: {_scalar(value)}" for key, value in _metadata(item).items()),
        "doc": summary(signature.doc, LONGEST),
        "run": run.rstrip(),
        "arguments": _arguments(signature.parameters),
        "calls": "\n".join(f"* `{name}` ({_effect(spec)})" for name, spec in functions.items()) or "Nothing.",
        "locked": "\n`scripts/requirements.txt` holds the exact packages that it was judged with." if locked else "",
    }
    return f"{template('skill.md.txt', values).rstrip()}\n"


def _run(item: Closed, functions: Mapping[str, FunctionSpec]) -> str:
    example = shlex.quote(canonical(_example(item)))
    values = {"name": item.tool.name, "example": example, "needs": _needs(functions)}
    return template("skill_script.md.txt", values)


def _what(functions: Mapping[str, FunctionSpec]) -> str:
    objects = f", and a Python object with the functions {', '.join(functions)}" if functions else ""
    return f"Python 3.11 or newer{objects}"


def _metadata(item: Closed) -> dict[str, str]:
    return {
        "tool": item.tool.name,
        "environment": item.tool.scope,
        "release": item.tool.release,
        "state": item.tool.state.value,
        "version": item.tool.version.id,
        "made-by": "nucleate",
    }


def _scalar(text: str) -> str:
    """Return a quoted YAML text in one line; three hyphens would end the header, angle brackets look like markup."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    plain = " ".join(seen.split()).replace("---", "–").replace("<", "‹").replace(">", "›")
    return json.dumps(plain, ensure_ascii=False)


def _example(item: Closed) -> JsonObject:
    evidence = evidence_of(item.tool.version)
    return next((dict(run.arguments) for run in (*evidence.seen, *evidence.held_out)), {})


def _needs(functions: Mapping[str, FunctionSpec]) -> str:
    if not functions:
        return "It needs no environment: leave `--environment` out."
    return "`MODULE:NAME` is an importable object that has the functions below, as `object.namespace.function(…)`."


def _arguments(parameters: JsonObject) -> str:
    required = strings(parameters.get("required"))
    rows = [
        _argument(name, mapping(item), name in required) for name, item in mapping(parameters.get("properties")).items()
    ]
    return "\n".join(["| name | schema | meaning |", "|---|---|---|", *rows]) if rows else "None."


def _argument(name: str, schema: JsonObject, required: bool) -> str:
    words = schema.get("description")
    bare = {key: value for key, value in schema.items() if key not in {"description", "default"}}
    default = "" if required else f" Default: `{shown(schema['default'])}`." if "default" in schema else " Optional."
    text = f"{words}{default}" if isinstance(words, str) else default.strip()
    return f"| `{name}` | `{_cell(canonical(bare))}` | {_cell(text)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _script(item: Closed, functions: Mapping[str, FunctionSpec]) -> str:
    sources = [version.source for version in item.closure]
    values = {
        "name": item.tool.name,
        "about": repr(summary(item.tool.version.signature.doc, LONGEST)),
        "dependencies": json.dumps(list(read_requirements(*sources))),
        "functions": repr(list(functions)),
        "reads": repr([name for name, spec in functions.items() if spec.effect is Effect.READ]),
    }
    return template("run_tool.py.txt", values)


def _evals(skill: str, name: str, runs: Sequence[Example]) -> str:
    evals: list[Json] = [_eval(number, name, run) for number, run in enumerate(runs, start=1)]
    return json.dumps({"skill_name": skill, "evals": evals}, indent=2, ensure_ascii=False) + "\n"


def _eval(number: int, name: str, run: Example) -> JsonObject:
    arguments, result = cut(canonical(run.arguments), LONGEST), cut(canonical(run.result), LONGEST)
    return {
        "id": number,
        "prompt": run.query,
        "expected_output": f"The result of {name} for {arguments}: {result}",
        "files": [],
        "assertions": [f"scripts/{name}.py is run with the arguments {arguments}", f"The result is {result}"],
    }


def _capabilities(item: Closed) -> list[str]:
    return sorted({name for version in item.closure for name in version.capabilities})


def _effect(spec: FunctionSpec) -> str:
    return "reads" if spec.effect is Effect.READ else "changes something" if spec.effect is Effect.WRITE else "destroys"
