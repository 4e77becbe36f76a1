"""How environments look: as JSON for programs, in tables for people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from nucleate.cli.screen import Screen
from nucleate.environments.approvals import Approved
from nucleate.environments.function_changes import Drift
from nucleate.environments.known_environments import KnownEnvironment
from nucleate.executor.showing import call_text
from nucleate_sandbox import Effect, FunctionSpec, JsonObject

MAX_LISTED = 40  # functions that `env add` shows one by one
COLOURS = {Effect.READ: "green", Effect.WRITE: "yellow", Effect.DESTRUCTIVE: "red"}


def known_json(name: str, known: KnownEnvironment | None, functions: Mapping[str, FunctionSpec]) -> JsonObject:
    """Return what is known of an environment; `kind` is null where nobody has said how it is reached."""
    return {
        "name": name,
        "kind": known.connection.kind if known else None,
        "place": known.connection.place if known else None,
        "functions": len(functions),
        "effects": {effect.value: _count(functions, effect) for effect in Effect},
    }


def known_table(lines: list[JsonObject]) -> Table:
    """Return one line for each environment."""
    table = Table(title=f"{len(lines)} environments", title_justify="left")
    for column in ("name", "kind", "reached by", "functions", "destructive"):
        table.add_column(column, overflow="fold")
    for line in lines:
        effects = line["effects"]
        destructive = effects["destructive"] if isinstance(effects, dict) else 0
        kind, place = line["kind"] or "–", line["place"] or "nobody said how; its recordings are known"
        table.add_row(str(line["name"]), str(kind), escape(str(place)), str(line["functions"]), str(destructive))
    return table


def functions_table(name: str, functions: Mapping[str, FunctionSpec]) -> Table:
    """Return one line for each function."""
    table = Table(title=f"{name}: {len(functions)} functions", title_justify="left")
    for column in ("function", "effect", "what it does"):
        table.add_column(column, overflow="fold")
    for spec in functions.values():
        effect = f"[{COLOURS[spec.effect]}]{spec.effect.value}[/]"
        call = f"{spec.name.rpartition('.')[0]}.{call_text(spec)}"
        table.add_row(escape(call), effect, escape(" ".join(spec.doc.split())[:300]))
    return table


def summary_text(name: str, functions: Mapping[str, FunctionSpec], unusable: Mapping[str, str]) -> str:
    """Return one line: how many functions there are, of which effects, and how many were left out."""
    effects = ", ".join(f"{count} {effect.value}" for effect in Effect if (count := _count(functions, effect)))
    told = f"{name}: {len(functions)} functions{f' ({effects})' if effects else ''}, {len(unusable)} left out"
    return told if len(functions) <= MAX_LISTED else f"{told}; nucleate env describe {name} lists them"


def spec_json(spec: FunctionSpec) -> JsonObject:
    """Return a function with its schemas."""
    return {
        "name": spec.name,
        "doc": spec.doc,
        "effect": spec.effect.value,
        "parameters": spec.parameters,
        "returns": spec.returns,
    }


def approvals_table(every: Sequence[Approved]) -> Table:
    """Return one line for each destructive call that was asked for."""
    table = Table(title=f"{len(every)} destructive calls", title_justify="left")
    for column in ("when", "environment", "function", "arguments", "answer", "who"):
        table.add_column(column, overflow="fold")
    for item in every:
        answer = "[green]yes[/green]" if item.allowed else "[red]no[/red]"
        shown = escape(item.arguments[:200])
        table.add_row(f"{item.at:%Y-%m-%d %H:%M}", item.environment, item.function, shown, answer, escape(item.by))
    return table


def print_function(console: Screen, spec: FunctionSpec) -> None:
    """Print one function: its call, its words, its schemas."""
    console.print(f"[bold]{escape(spec.name.rpartition('.')[0] + '.' + call_text(spec))}[/bold]")
    console.print(f"[{COLOURS[spec.effect]}]{spec.effect.value}[/]  {escape(spec.doc)}")
    text = json.dumps({"parameters": spec.parameters, "returns": spec.returns}, indent=2, ensure_ascii=False)
    console.print(Syntax(text, "json", theme="ansi_dark", word_wrap=True))


def drift_json(drift: Drift, callers: Mapping[str, list[str]]) -> JsonObject:
    """Return what changed, and which tools call it."""
    return {
        "environment": drift.environment,
        "added": list(drift.added),
        "removed": list(drift.removed),
        "changed": list(drift.changed),
        "reasons": dict(drift.reasons),
        "tools": {name: list(tools) for name, tools in callers.items()},
    }


def drift_table(drift: Drift, callers: Mapping[str, list[str]]) -> Table:
    """Return one line for each function that is new, gone or another."""
    table = Table(title=f"{drift.environment}: what changed", title_justify="left")
    for column in ("function", "is", "how", "tools that call it"):
        table.add_column(column, overflow="fold")
    for word, names in (("new", drift.added), ("gone", drift.removed), ("another", drift.changed)):
        for name in names:
            how = drift.reasons.get(name, "").removeprefix(name).strip() if word == "another" else ""
            table.add_row(name, word, escape(how), ", ".join(callers.get(name, ())) or "–")
    return table


def _count(functions: Mapping[str, FunctionSpec], effect: Effect) -> int:
    return sum(spec.effect is effect for spec in functions.values())
