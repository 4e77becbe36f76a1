"""Which errors of held-out runs had a lesson warned of, how often for nothing; and how well results were foreseen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evals.real.knowing import blob, holds, leaves
from evals.real.runs import Run, trajectory
from nucleate.runtime import Runtime
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Kind
from nucleate_text_memory.recordings.error_classes import error_keys


@dataclass(frozen=True, kw_only=True)
class Warnings:
    """Errors met, those whose cause earlier runs had met, those of these that an entry told, entries for nothing."""

    errors: int
    seen_before: int
    warned: int
    false_warnings: int
    runs: int

    @property
    def figures(self) -> JsonObject:
        return {
            "warned": round(self.warned / self.seen_before, 3) if self.seen_before else None,
            "false_warnings": round(self.false_warnings / self.runs, 3) if self.runs else None,
            "errors": self.errors,
            "errors_seen_before": self.seen_before,
        }


def warnings(runtime: Runtime, scope: str, learned: Sequence[Run], judged: Sequence[Run]) -> Warnings:
    """Count. A warning is an entry about a function, given when the function is first considered in a run."""
    before = {key for run in learned for key in error_keys(trajectory(run))}
    entries = runtime.memory.entries(scope) if scope in runtime.memory.scopes() else []
    lessons = {entry.signature for entry in entries if entry.kind is not Kind.PLAN and entry.signature}
    errors = warned = seen = for_nothing = 0
    for run in judged:
        story = trajectory(run)
        met = set(error_keys(story))
        given = {signature for signature in lessons if signature[0] in {step.function for step in story.steps}}
        errors += len(met)
        seen += len(met & before)
        warned += len(met & before & given)
        for_nothing += len(given - met)
    return Warnings(errors=errors, seen_before=seen, warned=warned, false_warnings=for_nothing, runs=len(judged))


Shapes = Mapping[str, frozenset[str]]
"""Function → the paths of keys in its results, `[]` for elements and `*` for keys that are data."""


def shapes_of(runtime: Runtime, scope: str) -> Shapes:
    """Return the shapes of results that are shown with the functions."""
    view = runtime.scopes.view(scope)
    return {name: frozenset(_schema_paths(spec.returns, "")) for name, spec in view.functions.items()}


def _schema_paths(schema: Json, path: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    for choice in schema.get("anyOf") or []:  # type: ignore[union-attr]
        yield from _schema_paths(choice, path)
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        yield f"{path}.{name}"
        yield from _schema_paths(inner, f"{path}.{name}")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _schema_paths(schema["additionalProperties"], f"{path}.*")
    if isinstance(schema.get("items"), dict):
        yield from _schema_paths(schema["items"], f"{path}[]")


def shape_figures(shapes: Shapes, runs: Iterable[Run], tables: Mapping[str, frozenset[str]]) -> JsonObject:
    """Return how many keys that later calls used the shapes hold, and how many of the shown keys ever occur."""
    used: defaultdict[str, set[str]] = defaultdict(set)
    met: defaultdict[str, set[str]] = defaultdict(set)
    for run in runs:
        for at, action in enumerate(run.actions):
            if not action.mine or action.failed:
                continue
            name = f"{run.scope}.{action.function}"
            later = [blob(step.arguments) for step in run.actions[at + 1 :]]
            for path, value in key_paths(action.result, "", tables.get(name, frozenset())):
                met[name].add(path)
                if any(holds(text, leaf) for leaf in leaves(value) for text in later):
                    used[name].add(path)
    found = sum(path in shapes.get(name, ()) for name, paths in used.items() for path in paths)
    shown = [(name, path) for name in met for path in shapes.get(name, ())]
    wanted = sum(map(len, used.values()))
    return {
        "shape_recall": round(found / wanted, 3) if wanted else None,
        "shape_precision": round(sum(path in met[name] for name, path in shown) / len(shown), 3) if shown else None,
        "keys_used": wanted,
        "keys_shown": len(shown),
    }


def key_paths(value: Json, path: str, tables: frozenset[str]) -> Iterator[tuple[str, Json]]:
    """Yield the path of every key with its value where that is a leaf or a list of leaves."""
    if isinstance(value, dict):
        for key, item in value.items():
            inner = f"{path}.*" if path in tables else f"{path}.{key}"
            if not isinstance(item, dict | list) or (isinstance(item, list) and not _nested(item)):
                yield inner, item
            yield from key_paths(item, inner, tables)
    elif isinstance(value, list):
        for item in value:
            yield from key_paths(item, f"{path}[]", tables)


def _nested(items: list[Json]) -> bool:
    return any(isinstance(item, dict | list) for item in items)


def tables_in(runs: Iterable[Run]) -> dict[str, frozenset[str]]:
    """Return function → paths of objects whose keys are data: they hold digits, as ids do."""
    keys: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for run in runs:
        for action in run.actions:
            if action.mine and not action.failed:
                for path, found in _objects(action.result, ""):
                    keys[f"{run.scope}.{action.function}", path] |= found
    tables: defaultdict[str, set[str]] = defaultdict(set)
    for (name, path), found in keys.items():
        if sum(map(_data, found)) > len(found) / 2:
            tables[name].add(path)
    return {name: frozenset(paths) for name, paths in tables.items()}


def _objects(value: Json, path: str) -> Iterator[tuple[str, set[str]]]:
    if isinstance(value, dict):
        yield path, set(value)
        for key, item in value.items():
            yield from _objects(item, f"{path}.*" if _data(key) else f"{path}.{key}")
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item, f"{path}[]")


def _data(key: str) -> bool:
    return any(char.isdigit() for char in key) and len(key) > 3
