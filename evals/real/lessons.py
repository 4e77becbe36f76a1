"""Which errors of held-out runs had a lesson warned of, how often for nothing; and how well results were foreseen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evals.real.knowing import blob, holds, leaves
from evals.real.runs import Run, trajectory
from nucleate.environments.noted import note_of
from nucleate.runtime import Runtime
from nucleate_sandbox import FunctionSpec, Json, JsonObject
from nucleate_text_memory import Kind, Trajectory
from nucleate_text_memory.notes import FunctionNotes, observe
from nucleate_text_memory.notes.shapes import ANY_KEY, is_table
from nucleate_text_memory.notes.wording import shown_shape
from nucleate_text_memory.recordings.answers.structured import forms_of, structured
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
    """Count. An error is warned of by an entry that is given with the task, or by what is shown with the function.

    A false warning is an entry about a function that the run calls, for an error that the run does not meet; what is
    shown with a function describes it, and is none.
    """
    before = {key for run in learned for key in error_keys(trajectory(run))}
    shown = _shown(runtime, scope)
    errors = warned = seen = for_nothing = 0
    for run in judged:
        story = trajectory(run)
        met = set(error_keys(story))
        called = {step.function for step in story.steps}
        given = {signature for signature in _given(runtime, scope, run) if signature[0] in called}
        told = {key for key in met & before if key in given or _says(shown.get(key[0], ""), key)}
        errors += len(met)
        seen += len(met & before)
        warned += len(told)
        for_nothing += len(given - met)
    return Warnings(errors=errors, seen_before=seen, warned=warned, false_warnings=for_nothing, runs=len(judged))


def _given(runtime: Runtime, scope: str, run: Run) -> set[tuple[str, ...]]:
    choice = runtime.manager.choose(run.query, scope=scope, states=runtime.callable_states)
    return {item.entry.signature for item in choice.entries if item.entry.kind is not Kind.PLAN}


def _shown(runtime: Runtime, scope: str) -> dict[str, str]:
    view, notes = runtime.scopes.view(scope), runtime.memory.notes(scope)
    return {name: note_of(spec, notes).lower() for name, spec in view.functions.items()}


def _says(note: str, key: tuple[str, ...]) -> bool:
    """Return whether a note tells of a cause: in its words, or by the state without which it arises."""
    cause = key[2].lower().rstrip(".")
    needed = [part.rpartition(" ")[2] for part in note.split("; ") if part.startswith("needs ")]
    return cause in note or any(value in cause for value in needed)


Shapes = Mapping[str, frozenset[str]]
"""Function → the paths of keys in its results, `[]` for elements and `*` for keys that are data."""


def shapes_of(functions: Mapping[str, FunctionSpec], notes: Mapping[str, FunctionNotes]) -> Shapes:
    """Return the shapes of results that are shown with the functions: what these say themselves, or what was noted."""
    found: dict[str, frozenset[str]] = {}
    for name, spec in functions.items():
        said = frozenset(_schema_paths(spec.returns, ""))
        found[name] = said or (_noted(name, notes) if name in notes else frozenset())
    return found


def _noted(name: str, notes: Mapping[str, FunctionNotes]) -> frozenset[str]:
    """Return what is shown of a function's results: its own places, and those of the function it is likened to."""
    shape = shown_shape(name, notes)
    other = _noted(shape.of, notes) if shape.of else frozenset[str]()
    return other | frozenset(map(_joined, shape.paths))


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


def tables_of(notes: Mapping[str, FunctionNotes]) -> Shapes:
    """Return the places whose keys are data: they are shown as such, and none of the keys by name."""
    return {
        name: frozenset(_joined(path) for path, shape in one.shape.places() if ANY_KEY in shape.fields)
        for name, one in notes.items()
    }


def of_notes_alone(functions: Mapping[str, FunctionSpec], learned: Sequence[Run], judged: Sequence[Run]) -> JsonObject:
    """Return the figures of shapes where nothing but notes is taken of the runs: no plan, no tool."""
    notes: dict[str, FunctionNotes] = {}
    for run in learned:
        observe(notes, trajectory(run), run.group)
    return shape_figures(shapes_of(functions, notes), tables_of(notes), judged)


def shape_figures(shapes: Shapes, tables: Shapes, runs: Sequence[Run]) -> JsonObject:
    """Return how many keys that later calls used the shapes hold, and how many of the shown keys ever occur.

    A key is used where a later argument has a value of it that neither the user nor an answer held before. Answers
    that are text with a structure count as what they write.
    """
    stories = [trajectory(run) for run in runs]
    forms = forms_of(stories)
    used: defaultdict[str, set[str]] = defaultdict(set)
    met: defaultdict[str, set[str]] = defaultdict(set)
    for story in stories:
        for function, path, is_used in _keys_met(structured(story, forms)):
            place, _, _ = path.rpartition(".")
            known = place if place in tables.get(function, ()) else path
            met[function].add(known)
            if is_used:
                used[function].add(known)
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


def _keys_met(story: Trajectory) -> Iterator[tuple[str, str, bool]]:
    """Yield (function, place, whether a later argument had its value from there first) of every key of the answers."""
    heard = [blob(text) for text in (story.query, *(item.text for item in story.said))]
    for at, step in enumerate(story.steps):
        if step.error is None:
            later = [blob(one.arguments) for one in story.steps[at + 1 :]]
            for path, value in key_paths(step.result, ""):
                new = [leaf for leaf in leaves(value) if not any(holds(text, leaf) for text in heard)]
                yield step.function, path, any(holds(text, leaf) for leaf in new for text in later)
            heard.append(blob(step.result))


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
