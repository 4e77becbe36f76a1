"""Whether a later run speaks against a tool: it was judged good, and wrote something else than the tool would have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from nucleate_codifier.trace.align.runs import key_of
from nucleate_codifier.trace.align.template import Template
from nucleate_codifier.trace.carry_out.performing import perform
from nucleate_codifier.trace.evaluation import fingerprint, same
from nucleate_codifier.trace.expressions import Missing, Param
from nucleate_sandbox import Effect, FunctionSpec, Json, JsonObject, canonical
from nucleate_text_memory import Occurrence, count_groups
from nucleate_text_memory.origins import Origins, identifies, leaves

Functions = Mapping[str, FunctionSpec]


class _Strayed(Exception):
    """The tool would read something that the run did not."""


def contradiction(template: Template, occurrence: Occurrence, functions: Functions) -> str | None:
    """Return how the run's writes differ from the tool's; None where the run says nothing against it.

    It says nothing unless it was judged successful, and the tool's arguments were known before its first call. The
    writes are compared as a set: what the tool makes with these arguments, and what the run made of these functions.
    """
    run = occurrence.trajectory
    if run.success is not True or template.match(run.steps, occurrence.start) is not None:
        return None
    writing = {p.function for p in template.patterns if _writes(p.function, functions)}
    arguments = _known_arguments(template, occurrence) if writing else None
    if arguments is None:
        return None
    return _difference(template, arguments, occurrence, writing)


def contradicted_by(
    template: Template, occurrences: Iterable[Occurrence], functions: Functions
) -> tuple[tuple[Occurrence, str], ...]:
    """Return the runs that speak against a tool, each with how."""
    told = ((one, contradiction(template, one, functions)) for one in occurrences if all(one.groups))
    return tuple((one, how) for one, how in told if how is not None)


def groups_against(contradicting: Sequence[tuple[Occurrence, str]]) -> int:
    """Return in how many groups of inputs runs speak against the tool: repetitions of one task are one voice."""
    return count_groups(key_of(one) for one, _ in contradicting)


def _difference(template: Template, arguments: JsonObject, occurrence: Occurrence, writing: set[str]) -> str | None:
    steps = [step for step in occurrence.trajectory.steps if step.error is None]
    made: list[tuple[str, JsonObject]] = []

    def answer(function: str, given: JsonObject) -> Json:
        found = [step.result for step in steps if step.function == function and same(step.arguments, given)]
        if function in writing:
            made.append((function, given))
        elif not found:
            raise _Strayed(f"the tool would call {function}({_spelled(given)}), which the run did not")
        return found[0] if found else None

    try:
        perform(template, arguments, answer)
    except Missing:
        return None  # the tool raises an error and writes nothing wrong
    except _Strayed as strayed:
        return str(strayed)
    own = occurrence.trajectory.steps[occurrence.start : occurrence.stop]
    wanted = Counter(_write(step.function, step.arguments) for step in own if step.function in writing)
    if Counter(_write(*call) for call in made) == wanted:
        return None
    told = next((call for call in made if _write(*call) not in wanted), None)
    return f"the tool would call {told[0]}({_spelled(told[1])}), which the run did not" if told else "it writes less"


def _known_arguments(template: Template, occurrence: Occurrence) -> JsonObject | None:
    """Return the tool's arguments as the run gave them; None where one is not seen, or was not known before."""
    bound: JsonObject = dict.fromkeys(template.parameters - template.required)
    steps, position = occurrence.trajectory.steps, occurrence.start
    for pattern in template.patterns:
        found = next((i for i in range(position, occurrence.stop) if steps[i].function == pattern.function), None)
        if found is None:
            continue
        position = found + 1
        for name, expr in pattern.arguments:
            if isinstance(expr, Param) and name in steps[found].arguments:
                bound.setdefault(expr.name, steps[found].arguments[name])
                bound[expr.name] = bound[expr.name] or steps[found].arguments[name]
    if not template.required <= set(bound):
        return None
    origins = Origins(occurrence.trajectory)
    ids = [leaf for value in bound.values() for leaf in leaves(value) if identifies(leaf)]
    return bound if all(origins.of(leaf, before=occurrence.start) is not None for leaf in ids) else None


def _writes(function: str, functions: Functions) -> bool:
    return function in functions and functions[function].effect is not Effect.READ


def _write(function: str, arguments: JsonObject) -> str:
    """Return one text for equal writes; the order inside lists says nothing where all lists keep it alike."""
    lists = {name: value for name, value in arguments.items() if isinstance(value, list)}
    rest = {name: value for name, value in arguments.items() if name not in lists}
    lengths = {len(value) for value in lists.values()}
    if len(lengths) == 1:
        rows = sorted(canonical([value[i] for value in lists.values()]) for i in range(lengths.pop()))
        return fingerprint([function, rest, *sorted(lists), *rows])
    return fingerprint([function, arguments])


def _spelled(arguments: JsonObject) -> str:
    return ", ".join(f"{name}={str(value)[:60]!r}" for name, value in arguments.items())
