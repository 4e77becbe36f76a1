"""What errors teach: a pitfall from an error that was recovered from, a fact from an error that repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import Connection, select

from nucleate_text_memory.entries.entries import add_evidence, confidence, inputs_behind, set_confidence, with_keys
from nucleate_text_memory.identity import canonical, pool_key
from nucleate_text_memory.learning.data_flow import paths
from nucleate_text_memory.learning.induction import stored_until, supports
from nucleate_text_memory.recordings.error_classes import error_keys, error_signature
from nucleate_text_memory.tables import POOL
from nucleate_text_memory.values import Draft, Entry, Kind, SourceSpan, Step, Trajectory


def pitfall_drafts(connection: Connection, trajectory: Trajectory) -> list[Draft]:
    """Return the new pitfalls of a trajectory, one per class of error; one that is known gains evidence."""
    drafts: dict[str, Draft] = {}
    for failed, recovered in recoveries(trajectory):
        signature = error_signature(trajectory.steps[failed])
        key = pool_key(Kind.PITFALL, trajectory.environment, signature)
        known = with_keys(connection, [key]).get(key)
        if known is None:
            drafts.setdefault(key, _pitfall(trajectory, failed, recovered))
        elif add_evidence(connection, known.id, _evidence(trajectory, failed, recovered)):
            set_confidence(connection, known.id, inputs_behind(connection, known.id))
    return list(drafts.values())


def fact_drafts(connection: Connection, trajectory: Trajectory, *, quorum: int) -> list[Draft]:
    """Return the facts that this trajectory's errors bring to the quorum of distinct inputs."""
    keys = {s: pool_key(Kind.FACT, trajectory.environment, s) for s in error_keys(trajectory)}
    support = supports(connection, list(keys.values()), until=trajectory.task_id)
    known = with_keys(connection, list(keys.values()))
    for key, entry in known.items():
        _support_fact(connection, trajectory, entry, support[key])
    return [
        _fact(connection, trajectory, signature, support[key])
        for signature, key in keys.items()
        if key not in known and support[key] >= quorum
    ]


def recoveries(trajectory: Trajectory) -> Iterator[tuple[int, int]]:
    """Return (failed step, step that then succeeded) for each failed environment call that was recovered from."""
    for index, step in enumerate(trajectory.steps):
        if step.error is None or "." not in step.function:
            continue
        later = [i for i in range(index + 1, len(trajectory.steps)) if trajectory.steps[i].error is None]
        same = [i for i in later if _changed_call(step, trajectory.steps[i])]
        other = [i for i in later[:1] if trajectory.success is not False and _same_intent(step, trajectory.steps[i])]
        if same or other:
            yield index, (same or other)[0]


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


def _pitfall(trajectory: Trajectory, failed: int, recovered: int) -> Draft:
    step, after = trajectory.steps[failed], trajectory.steps[recovered]
    function, kind, message = error_signature(step)
    return Draft(
        kind=Kind.PITFALL,
        scope=trajectory.environment,
        title=f"`{function}` fails with: {message}",
        body=f"Trigger: calling `{function}`{_with(step)}.\n"
        f"Mistake: {_mistake(step, after)}.\n"
        f"Consequence: {kind}: {message}.\n"
        f"Recovery: {_recovery(trajectory, failed, recovered)}.",
        source=f"task:{trajectory.task_id}",
        signature=(function, kind, message),
        confidence=confidence(1),
        evidence=(_evidence(trajectory, failed, recovered),),
    )


def _fact(connection: Connection, trajectory: Trajectory, signature: tuple[str, ...], support: int) -> Draft:
    function, kind, message = signature
    key = pool_key(Kind.FACT, trajectory.environment, signature)
    first = error_keys(trajectory)[signature]
    return Draft(
        kind=Kind.FACT,
        scope=trajectory.environment,
        title=f"`{function}` refuses: {message}",
        body=f"`{function}`{_with(trajectory.steps[first])} answers {kind}: {message}.\n"
        f"Make sure before calling it that this does not hold.",
        source=f"task:{trajectory.task_id}",
        signature=signature,
        confidence=confidence(support),
        evidence=tuple(_pool_evidence(connection, key, until=trajectory.task_id)),
    )


def _pool_evidence(connection: Connection, key: str, *, until: str) -> Iterator[SourceSpan]:
    for row in connection.execute(select(POOL).where(POOL.c.key == key, stored_until(until)).order_by(POOL.c.id)):
        yield SourceSpan(task_id=row.task_id, start=row.start, stop=row.stop)


def _support_fact(connection: Connection, trajectory: Trajectory, entry: Entry, support: int) -> None:
    index = error_keys(trajectory)[entry.signature]
    add_evidence(connection, entry.id, SourceSpan(task_id=trajectory.task_id, start=index, stop=index + 1))
    set_confidence(connection, entry.id, support)


def _evidence(trajectory: Trajectory, failed: int, recovered: int) -> SourceSpan:
    return SourceSpan(task_id=trajectory.task_id, start=failed, stop=recovered + 1)


def _with(step: Step) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(step.arguments))
    return f" with {names}" if names else ""


def _mistake(failed: Step, after: Step) -> str:
    if failed.function != after.function:
        return "this function cannot answer it; another one of the same purpose can"
    return f"it was called with {_listed(_changes(failed, after))} that the environment does not accept"


def _recovery(trajectory: Trajectory, failed: int, recovered: int) -> str:
    step, after = trajectory.steps[failed], trajectory.steps[recovered]
    between = [s.function for s in trajectory.steps[failed + 1 : recovered] if s.error is None]
    looked = [f for f in dict.fromkeys(between) if f != after.function][:3]
    first = f"after {_listed(looked)}, " if looked else ""
    if step.function != after.function:
        return f"{first}`{after.function}`{_with(after)} succeeded"
    return f"{first}the same call succeeded with another value of {_listed(_changes(step, after))}"


def _changes(failed: Step, after: Step) -> list[str]:
    """Return the paths in the arguments whose values differ between the two calls."""
    before, later = _values(failed), _values(after)
    return sorted(path for path in before.keys() | later.keys() if before.get(path) != later.get(path))


def _values(step: Step) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for path, value in paths(step.arguments):
        found.setdefault(path, Counter())[canonical(value)] += 1
    return found


def _listed(names: list[str]) -> str:
    said = [f"`{name}`" for name in names] or ["arguments"]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
