"""What verdicts alone can teach: a write that works as a call, and with which tasks fail that end well without it.

Runs of one task are held side by side. The first write in which a failed one parts from those that succeeded is told
once several tasks show it, with its counts; not where runs of other tasks succeeded with the same write.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from sqlalchemy import Connection, insert, select

from nucleate_text_memory.entries.entries import confidence, with_keys
from nucleate_text_memory.identity import canonical, input_key, pool_key
from nucleate_text_memory.recordings.trajectories import load
from nucleate_text_memory.tables import POOL, STEP, TASK, TRAJECTORY
from nucleate_text_memory.values import Draft, Kind, SourceSpan, Step, Trajectory

PARTED = "Parted"
_MOST = 24  # runs of a task that are looked at
_SHORTEST = 3  # characters of values whose equality tells something


@dataclass(frozen=True, kw_only=True)
class Parting:
    """A write that failed runs of a task made where the others made another, or none any more; and how many did."""

    avoid: str
    prefer: str
    failed: int
    succeeded: int


def parting_drafts(
    connection: Connection, trajectory: Trajectory, *, quorum: int, writes: Collection[str]
) -> list[Draft]:
    """Return what this judged run brings to the quorum of tasks that part alike."""
    if trajectory.success is None or not writes:
        return []
    drafts = []
    for avoid in {one.avoid for one in partings(_alike(connection, trajectory), writes)}:
        signature = (avoid.partition(" ")[0], PARTED, avoid)
        key = pool_key(Kind.PITFALL, trajectory.environment, signature)
        _note(connection, key, trajectory)
        tasks = _one_of_each(connection, key)
        new = len(tasks) >= quorum and not with_keys(connection, [key])
        if new and sum(avoid in _made(run, writes) for run in _solved(connection, trajectory, signature[0])) < quorum:
            found = [_alike(connection, one) for one in load(connection, tasks)]
            drafts.append(_draft(trajectory, signature, tasks, _summed(found, writes, avoid)))
    return drafts


def partings(runs: Iterable[Trajectory], writes: Collection[str]) -> list[Parting]:
    """Return where failed runs of one task part from those that succeeded, which never make that write."""
    judged = [run for run in runs if run.success is not None]
    good = [_made(run, writes) for run in judged if run.success]
    bad = [_made(run, writes) for run in judged if not run.success]
    done = {write for made in good for write in made}
    met: defaultdict[str, list[str]] = defaultdict(list)
    for made in bad if good else ():
        at = min((_common(made, other) for other in good), key=lambda length: -length)
        if at < len(made) and made[at] not in done:
            nexts = Counter(other[at] for other in good if other[:at] == made[:at] and at < len(other))
            met[made[at]].append(nexts.most_common(1)[0][0] if nexts else "")
    return [
        Parting(avoid=avoid, prefer=Counter(nexts).most_common(1)[0][0], failed=len(nexts), succeeded=len(good))
        for avoid, nexts in sorted(met.items())
    ]


def _made(run: Trajectory, writes: Collection[str]) -> list[str]:
    return [_write(step) for step in run.steps if step.error is None and step.function in writes]


def _write(step: Step) -> str:
    """Return a write by its function, and by which of its arguments are the same: items exchanged for themselves."""
    given = ((name, value) for name, value in step.arguments.items() if isinstance(value, str | list))
    told = {name: canonical(value) for name, value in given if len(str(value)) >= _SHORTEST}
    same = [f"{a} = {b}" for a, b in combinations(sorted(told), 2) if told[a] == told[b]]
    return f"{step.function} with {' and '.join(same)}" if same else step.function


def _common(made: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(made, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(made), len(other)))


def _alike(connection: Connection, trajectory: Trajectory) -> list[Trajectory]:
    """Return the runs of a run's task, itself among them."""
    same = (
        TRAJECTORY.c.group == trajectory.group if trajectory.group else TASK.c.input_key == input_key(trajectory.query)
    )
    wanted = select(TRAJECTORY.c.task_id).join(TASK, TASK.c.id == TRAJECTORY.c.task_id)
    ids = wanted.where(same, TASK.c.scope == trajectory.environment).order_by(TRAJECTORY.c.id.desc()).limit(_MOST)
    return load(connection, list(connection.scalars(ids)))


def _solved(connection: Connection, trajectory: Trajectory, function: str) -> list[Trajectory]:
    """Return the newest runs that succeeded and called a function: in other tasks it may be right."""
    wanted = (
        select(TRAJECTORY.c.task_id)
        .join(TASK, TASK.c.id == TRAJECTORY.c.task_id)
        .join(STEP, STEP.c.task_id == TRAJECTORY.c.task_id)
        .where(TASK.c.scope == trajectory.environment, STEP.c.function == function, TRAJECTORY.c.success.is_(True))
    )
    newest = wanted.group_by(TRAJECTORY.c.id, TRAJECTORY.c.task_id).order_by(TRAJECTORY.c.id.desc()).limit(_MOST)
    return load(connection, list(connection.scalars(newest)))


def _note(connection: Connection, key: str, trajectory: Trajectory) -> None:
    group = trajectory.group or input_key(trajectory.query)
    known = select(POOL.c.id).where(POOL.c.key == key, POOL.c.task_id == trajectory.task_id)
    if connection.scalar(known) is None:
        row = {"key": key, "kind": Kind.PITFALL.value, "input_key": group, "task_id": trajectory.task_id}
        connection.execute(insert(POOL), {**row, "start": 0, "stop": len(trajectory.steps)})


def _one_of_each(connection: Connection, key: str) -> list[str]:
    rows = connection.execute(select(POOL.c.input_key, POOL.c.task_id).where(POOL.c.key == key).order_by(POOL.c.id))
    return list({row.input_key: row.task_id for row in rows}.values())


def _summed(tasks: Iterable[list[Trajectory]], writes: Collection[str], avoid: str) -> Parting:
    found = [one for runs in tasks for one in partings(runs, writes) if one.avoid == avoid]
    prefer = Counter(one.prefer for one in found).most_common(1)[0][0]
    failed, succeeded = sum(one.failed for one in found), sum(one.succeeded for one in found)
    return Parting(avoid=avoid, prefer=prefer, failed=failed, succeeded=succeeded)


def _draft(trajectory: Trajectory, signature: tuple[str, str, str], tasks: Sequence[str], parting: Parting) -> Draft:
    better = f"`{parting.prefer}`" if parting.prefer else "no such write"
    return Draft(
        kind=Kind.PITFALL,
        scope=trajectory.environment,
        title=f"`{parting.avoid}` works as a call, and the task fails",
        body=f"Trigger: a task in which `{parting.avoid}` seems to be asked for.\n"
        f"Mistake: it was made where runs that succeeded made {better}.\n"
        f"Consequence: all {parting.failed} runs of {len(tasks)} tasks that made it failed; the {parting.succeeded} "
        f"that succeeded did not make it.\nRecovery: make {better} there.",
        source=f"task:{trajectory.task_id}",
        signature=signature,
        confidence=confidence(len(tasks)),
        evidence=tuple(_spans(tasks)),
    )


def _spans(tasks: Iterable[str]) -> Iterator[SourceSpan]:
    for task in tasks:
        yield SourceSpan(task_id=task, start=0, stop=1)
