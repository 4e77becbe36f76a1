"""Failed calls of a run, and the later call by which each was recovered from."""

from __future__ import annotations

from collections.abc import Iterator

from nucleate_text_memory.notes.command_lines import mends
from nucleate_text_memory.values import Step, Trajectory


def recoveries(trajectory: Trajectory) -> Iterator[tuple[int, int]]:
    """Return (failed step, step that then succeeded) for each failed environment call that was recovered from."""
    for index, step in enumerate(trajectory.steps):
        if step.error is None or "." not in step.function:
            continue
        later = [i for i in range(index + 1, len(trajectory.steps)) if _answers(trajectory.steps[i])]
        same = [i for i in later if _changed_call(step, trajectory.steps[i]) and mends(trajectory, index, i)]
        other = [i for i in later[:1] if trajectory.success is not False and _same_intent(step, trajectory.steps[i])]
        if same or other:
            yield index, (same or other)[0]


def _answers(step: Step) -> bool:
    """Return whether a call worked and said something: a note to oneself recovers nothing."""
    return step.error is None and not (step.result in (None, "") and _notes_only(step))


def _notes_only(step: Step) -> bool:
    return all(isinstance(value, str) and " " in value for value in step.arguments.values())


def _changed_call(failed: Step, later: Step) -> bool:
    """Return whether the later call is the failed one again with other arguments, not another piece of work.

    Of several arguments one at least stayed as it was: the order, say, for which another payment was tried.
    """
    if later.function != failed.function or later.arguments == failed.arguments:
        return False
    kept = [name for name, value in failed.arguments.items() if later.arguments.get(name) == value]
    return bool(kept) or len(failed.arguments) <= 1


def _same_intent(failed: Step, later: Step) -> bool:
    """Return whether another function is a second way to the same end: one verb, and a word of the object shared.

    `find_user_by_email` and `find_user_by_name` are; `modify_order_items` and `cancel_order` are not.
    """
    namespace, _, name = failed.function.rpartition(".")
    other_namespace, _, other = later.function.rpartition(".")
    words, others = name.split("_"), other.split("_")
    same_verb = words[0] == others[0] and name != other and namespace == other_namespace
    return same_verb and bool(set(words[1:2]) & set(others[1:2]))
