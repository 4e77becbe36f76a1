"""What errors teach: a pitfall from an error that was recovered from, a fact from an error that repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import Connection, select

from nucleate_text_memory.entries.entries import add_evidence, confidence, inputs_behind, set_confidence, with_keys
from nucleate_text_memory.identity import canonical, pool_key
from nucleate_text_memory.learning.data_flow import paths
from nucleate_text_memory.learning.induction import stored_until, supports
from nucleate_text_memory.notes.argument_values import mask
from nucleate_text_memory.notes.command_lines import command_of, folder_of
from nucleate_text_memory.notes.recoveries import recoveries
from nucleate_text_memory.recordings.error_classes import error_keys, error_signature
from nucleate_text_memory.tables import POOL
from nucleate_text_memory.values import Draft, Entry, Kind, SourceSpan, Step, Trajectory

_SMALL = 100
_LONGEST_FORM = 30


def pitfall_drafts(connection: Connection, trajectory: Trajectory) -> list[Draft]:
    """Return the new pitfalls of a trajectory, one per class of error; one that is known gains evidence."""
    drafts: dict[str, Draft] = {}
    for failed, recovered in recoveries(trajectory):
        signature = error_signature(trajectory.steps[failed])
        key = pool_key(Kind.PITFALL, trajectory.environment, signature)
        known = with_keys(connection, [key]).get(key)
        if known is None:
            if not _told(connection, trajectory.environment, signature, Kind.FACT):
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
        if not _told(connection, trajectory.environment, signature, Kind.PITFALL)
    ]


def _told(connection: Connection, scope: str, signature: tuple[str, ...], kind: Kind) -> bool:
    """Return whether an entry of the other kind tells of this cause already: one cause is one lesson."""
    return bool(with_keys(connection, [pool_key(kind, scope, signature)]))


def _pitfall(trajectory: Trajectory, failed: int, recovered: int) -> Draft:
    step, after = trajectory.steps[failed], trajectory.steps[recovered]
    function, kind, message = error_signature(step)
    trigger, mistake = f"calling `{function}`{_with(step, after)}", _mistake(step, after)
    recovery = _recovery(trajectory, failed, recovered)
    ran, mended, folder = command_of(trajectory, failed), command_of(trajectory, recovered), folder_of(trajectory)
    if ran is not None and mended is not None:  # a command is quoted: the option that mended it is the lesson
        trigger, mistake = f"running `{ran}`" + (f" in {folder}" if folder else ""), f"`{ran}` fails here"
        recovery = f"`{mended}` succeeded"
    return Draft(
        kind=Kind.PITFALL,
        scope=trajectory.environment,
        title=f"`{function}` fails with: {message}",
        body=f"Trigger: {trigger}.\nMistake: {mistake}.\nConsequence: {kind}: {message}.\nRecovery: {recovery}.",
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


def _with(step: Step, after: Step | None = None) -> str:
    """Return the arguments of a call; of one that was made again otherwise, those that changed."""
    names = sorted(step.arguments)
    if after is not None and after.function == step.function:
        names = [name for name in names if step.arguments[name] != after.arguments.get(name)] or names
    return f" with {', '.join(f'`{name}`' for name in names)}" if names else ""


def _mistake(failed: Step, after: Step) -> str:
    if failed.function != after.function:
        return "this function cannot answer it; another one of the same purpose can"
    changed = _changes(failed, after)
    plain = [_as_it_was(path, failed, after) for path in changed]
    if changed and all(plain):
        return f"it was called with {_joined([text for text in plain if text])}"
    return f"it was called with {_listed(changed)} that the environment does not accept"


def _recovery(trajectory: Trajectory, failed: int, recovered: int) -> str:
    step, after = trajectory.steps[failed], trajectory.steps[recovered]
    between = [s.function for s in trajectory.steps[failed + 1 : recovered] if s.error is None]
    looked = [f for f in dict.fromkeys(between) if f != after.function][:3]
    first = f"after {_listed(looked)}, " if looked else ""
    if step.function != after.function:
        return f"{first}`{after.function}`{_with(after)} succeeded"
    right = [_right(trajectory, recovered, path, step) for path in _changes(step, after)]
    return f"{first}the same call succeeded with {_joined(right) or 'other arguments'}"


def _right(trajectory: Trajectory, recovered: int, path: str, failed: Step) -> str:
    """Return what was right in place of a value: itself, its form, or the function whose answer held it."""
    after = trajectory.steps[recovered]
    plain = _as_it_was(path, after, failed)
    if plain is not None:
        return plain
    wanted = _values(after).get(path, Counter())
    for step in trajectory.steps[:recovered]:
        held = {canonical(leaf) for _, leaf in paths(step.result)} if step.error is None else set()
        if wanted and wanted.keys() <= held:
            return f"a value of `{path}` that `{step.function}` answered"
    return f"another value of `{path}`"


def _as_it_was(path: str, step: Step, other: Step) -> str | None:
    """Return an argument's value where it is nobody's own: a small whole number, true, false, nothing; or its form.

    A form tells something where the other call's value had another one.
    """
    own, others = ([leaf for at, leaf in paths(one.arguments) if at == path] for one in (step, other))
    if len(own) > 1 or len(others) > 1:
        return None
    if not own:
        return f"no `{path}`"
    if own[0] is None or isinstance(own[0], bool) or (isinstance(own[0], int) and abs(own[0]) < _SMALL):
        return f"`{path}` = {own[0]!r}"
    texts = [one[0] for one in (own, others) if one and isinstance(one[0], str)]
    if len(texts) == 2 and _shaped(texts[0]) and mask(texts[0]) != mask(texts[1]):
        return f"`{path}` like {mask(texts[0])}"
    return None


def _shaped(text: str) -> bool:
    return " " not in text and any(not char.isalpha() for char in text) and len(text) <= _LONGEST_FORM


def _joined(texts: list[str]) -> str:
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


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
    return _joined([f"`{name}`" for name in names] or ["arguments"])
