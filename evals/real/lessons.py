"""Which errors of held-out runs had a lesson warned of, how often for nothing; and how well results were foreseen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evals.real.knowing import blob, holds, leaves
from evals.real.runs import Run, trajectory
from nucleate.environments.noted import note_of
from nucleate.runtime import Runtime
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Kind
from nucleate_text_memory.notes.shapes import is_table
from nucleate_text_memory.notes.wording import BUDGET, shown_paths
from nucleate_text_memory.recordings.answers.structured import forms_of, structured
from nucleate_text_memory.recordings.error_classes import error_keys
from nucleate_text_memory.retrieval.words import estimate_tokens


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
    """Return the shapes of results that are shown with the functions: what these say themselves, or what was noted."""
    functions, notes = runtime.scopes.view(scope).functions, runtime.memory.notes(scope)
    found: dict[str, frozenset[str]] = {}
    for name, spec in functions.items():
        said = frozenset(_schema_paths(spec.returns, ""))
        room = BUDGET - estimate_tokens(note_of(spec, notes).partition("answers ")[0])
        noted = shown_paths(notes[name], room) if name in notes and not said else ()
        found[name] = said or frozenset(map(_joined, noted))
    return found


def _joined(path: tuple[str, ...]) -> str:
    return "".join(step if step == "[]" else f".{step}" for step in path)


def _schema_paths(schema: Json, path: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    choices = schema.get("anyOf")
    for choice in choices if isinstance(choices, list) else ():
        yield from _schema_paths(choice, path)
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        yield f"{path}.{name}"
        yield from _schema_paths(inner, f"{path}.{name}")
    for inside, mark in (("additionalProperties", ".*"), ("items", "[]")):
        yield from _schema_paths(schema.get(inside), f"{path}{mark}")


def shape_figures(shapes: Shapes, runs: Sequence[Run]) -> JsonObject:
    """Return how many keys that later calls used the shapes hold, and how many of the shown keys ever occur.

    Answers that are text with a structure count as what they write.
    """
    stories = [trajectory(run) for run in runs]
    forms = forms_of(stories)
    used: defaultdict[str, set[str]] = defaultdict(set)
    met: defaultdict[str, set[str]] = defaultdict(set)
    for story in stories:
        steps = structured(story, forms).steps
        for at, step in enumerate(steps):
            later = [blob(one.arguments) for one in steps[at + 1 :]] if step.error is None else []
            for path, value in key_paths(step.result, "") if step.error is None else ():
                met[step.function].add(path)
                if any(holds(text, leaf) for leaf in leaves(value) for text in later):
                    used[step.function].add(path)
    found = sum(path in shapes.get(name, ()) for name, paths in used.items() for path in paths)
    shown = [(name, path) for name in met for path in shapes.get(name, ())]
    wanted = sum(map(len, used.values()))
    missed = sorted(f"{name}{path}" for name, paths in used.items() for path in paths - shapes.get(name, frozenset()))
    return {
        "shape_recall": round(found / wanted, 3) if wanted else None,
        "shape_precision": round(sum(path in met[name] for name, path in shown) / len(shown), 3) if shown else None,
        "keys_used": wanted,
        "keys_shown": len(shown),
        "keys_missed": [*missed[:12]],
    }


def key_paths(value: Json, path: str) -> Iterator[tuple[str, Json]]:
    """Yield the path of every key with what of its value is no object; keys that are data are `*`, their own rows."""
    if isinstance(value, dict):
        table = is_table(value)
        for key, item in value.items():
            inner = f"{path}.*" if table else f"{path}.{key}"
            if not table:
                yield inner, _plain(item)
            yield from key_paths(item, inner)
    elif isinstance(value, list):
        for item in value:
            yield from key_paths(item, f"{path}[]")


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return list[Json](value) if is_table(value) else None
    return [item for item in value if not isinstance(item, dict | list)] if isinstance(value, list) else value
