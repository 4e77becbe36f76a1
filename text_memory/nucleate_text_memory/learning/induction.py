"""Plans by the signature quorum, without a model (MSCE App. 8): one signature, enough distinct inputs, one plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, func, select

from nucleate_text_memory.entries.entries import confidence, set_confidence, with_keys
from nucleate_text_memory.flow import view
from nucleate_text_memory.identity import pool_key
from nucleate_text_memory.inputs import count_groups
from nucleate_text_memory.learning import plan_text
from nucleate_text_memory.notes.store import read as read_notes
from nucleate_text_memory.recordings.signatures import closed, signatures
from nucleate_text_memory.recordings.trajectories import load
from nucleate_text_memory.tables import POOL
from nucleate_text_memory.values import Draft, Entry, Kind, Occurrence, SourceSpan, Trajectory

_READ_FOR_TEXT = 8


def stored_until(task_id: str) -> ColumnElement[bool]:
    """Return the condition of the pool's evidence that was there when this task was stored.

    What is learned from a task is the same however late its turn comes: tasks that were stored meanwhile do not count.
    """
    newest = select(func.max(POOL.c.id)).where(POOL.c.task_id == task_id).scalar_subquery()
    return POOL.c.id <= newest


def supports(connection: Connection, keys: Sequence[str], *, until: str) -> dict[str, int]:
    """Return for each key of the candidate pool how many groups of inputs support it, up to a task."""
    wanted = (POOL.c.key.in_(list(keys)), stored_until(until))
    found: dict[str, set[str]] = {}
    for key, input_ in connection.execute(select(POOL.c.key, POOL.c.input_key).where(*wanted).distinct()):
        found.setdefault(key, set()).add(input_)
    return {key: count_groups(sorted(inputs)) for key, inputs in found.items()}


def tasks_with(connection: Connection, key: str, *, limit: int | None = None, until: str | None = None) -> list[str]:
    """Return the tasks (up to one) in which a key of the pool was seen, in the order in which they were stored."""
    wanted = [POOL.c.key == key, *([stored_until(until)] if until is not None else [])]
    return list(connection.scalars(select(POOL.c.task_id).where(*wanted).order_by(POOL.c.id).limit(limit)))


def inputs_with(connection: Connection, key: str) -> list[tuple[str, str]]:
    """Return (task, key of its input) for each task in which a key of the pool was seen, in the order stored."""
    wanted = select(POOL.c.task_id, POOL.c.input_key).where(POOL.c.key == key).order_by(POOL.c.id)
    return [(task, input_) for task, input_ in connection.execute(wanted)]


def plan_drafts(connection: Connection, trajectory: Trajectory, *, quorum: int, docs: Mapping[str, str]) -> list[Draft]:
    """Return the plans that this trajectory brings to the quorum, longest first; closed signatures only.

    One call is no procedure: it supports the plan to make it several times over, and brings it to no quorum.

    A signature that has, or had, a plan gets no second one: who invalidated a plan meant it.
    """
    runs = signatures(trajectory)
    keys = {s: pool_key(Kind.PLAN, trajectory.environment, s) for s in runs}
    support = supports(connection, list(keys.values()), until=trajectory.task_id)
    recurring = {s: support.get(key, 0) for s, key in keys.items() if support.get(key, 0) >= quorum}
    known = with_keys(connection, [keys[s] for s in recurring])
    for entry in known.values():
        set_confidence(connection, entry.id, recurring[entry.signature])
    several = [s for s in closed(recurring) if len(s) > 1 or len(runs[s][0].steps) > 1]
    new = [s for s in several if keys[s] not in known]
    return [_draft(connection, trajectory, s, recurring[s], docs) for s in sorted(new, key=lambda s: (-len(s), s))]


def occurrence(trajectory: Trajectory, signature: tuple[str, ...]) -> Occurrence | None:
    """Return the first occurrence of a plan's signature in a trajectory, without the calls that lay between."""
    runs = signatures(trajectory).get(signature)
    if runs is None:
        return None
    seen, start = view(trajectory, [run.steps for run in runs])
    lengths = [len(run.steps) for run in runs]
    starts = [start + sum(lengths[:number]) for number in range(len(runs))]
    groups = tuple(tuple(range(at, at + length)) for at, length in zip(starts, lengths, strict=True))
    steps = [index for run in runs for index in run.steps]
    return Occurrence(trajectory=seen, groups=groups, of=(min(steps), max(steps) + 1))


def without_one(signature: tuple[str, ...]) -> dict[tuple[str, ...], int]:
    """Return the signatures that skip one step between the first and the last, and which step that is."""
    inner = range(1, len(signature) - 1)
    told = [step for step in inner if signature[step - 1] != signature[step + 1]]
    return {(*signature[:step], *signature[step + 1 :]): step for step in told}


def skipping(connection: Connection, plan: Entry, *, limit: int, until: str | None = None) -> list[Occurrence]:
    """Return the first tasks that follow a plan but for one step of it, whose group is empty; none that follows it."""
    whole = set(tasks_with(connection, pool_key(plan.kind, plan.scope, plan.signature), until=until))
    found: list[Occurrence] = []
    for signature, step in without_one(plan.signature).items():
        tasks = tasks_with(
            connection, pool_key(plan.kind, plan.scope, signature), limit=limit + len(whole), until=until
        )
        for trajectory in load(connection, [task for task in tasks if task not in whole][:limit]):
            one = occurrence(trajectory, signature)
            if one is not None:
                groups = (*one.groups[:step], (), *one.groups[step:])
                found.append(replace(one, groups=groups))
    return found


def _draft(
    connection: Connection, trajectory: Trajectory, signature: tuple[str, ...], support: int, docs: Mapping[str, str]
) -> Draft:
    key = pool_key(Kind.PLAN, trajectory.environment, signature)
    tasks = load(connection, tasks_with(connection, key, limit=_READ_FOR_TEXT, until=trajectory.task_id))
    found = [o for o in (occurrence(task, signature) for task in tasks) if o is not None]
    notes = read_notes(connection, trajectory.environment, sorted(set(signature)))
    return Draft(
        kind=Kind.PLAN,
        scope=trajectory.environment,
        title=plan_text.title(signature, plan_text.repeated(found, len(signature))),
        body=plan_text.body(signature, found, docs, notes),
        source=f"task:{trajectory.task_id}",
        signature=signature,
        confidence=confidence(support),
        evidence=tuple(SourceSpan(task_id=o.trajectory.task_id, start=o.of[0], stop=o.of[1]) for o in found),
    )
