"""What is measured of each system: cold start, warm call, a hundred calls at once, throughput and memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import docker

from evals.sandbox.systems import (
    ANSWER,
    DOUBLE,
    DockerExec,
    DockerRun,
    Foreign,
    Ours,
    System,
    WrongAnswer,
    memory_bytes,
    monty,
    ours,
)
from evals.sandbox.timing import Timed, Times, in_turns, milliseconds
from nucleate_sandbox import Session

FAST = 20  # calls of a fast system for each call of a slow one
COLD_STARTS = 5
AT_ONCE = 100
RUNS_AT_ONCE = 20  # `docker run` a hundred times at once would measure this machine's patience
THROUGHPUT_CALLS = 1000
THROUGHPUT_WORKERS = 4
SESSION = "Nucleate, session run"
MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Milliseconds to the first answer (cold), of warm calls and of each of many at once; MiB of a warm container."""

    cold: tuple[Times, ...]
    warm: tuple[Times, ...]
    at_once_ms: dict[str, float]
    at_once_wrong: dict[str, int]
    calls_per_second: float
    container_mb: dict[str, float]


def measure(client: docker.DockerClient, peers: Sequence[Foreign], *, rounds: int) -> Measures:
    """Measure every system in turns."""
    mine, embedded, run = ours(), monty(), DockerRun()
    kept: list[System] = [mine, DockerExec(client), *peers]
    cold = _cold_starts(kept, COLD_STARTS)
    with ExitStack() as stack:
        for system in (*kept, embedded):
            system.open()
            stack.callback(system.close)
            system.call()
        warm = _warm(stack.enter_context(_session(mine)), mine, embedded, run, kept[1:], rounds)
        memory = {system.name: _largest(client, system) for system in kept}
        crowds = {system.name: _at_once(system, AT_ONCE) for system in kept}
        crowds[run.name] = _at_once(run, RUNS_AT_ONCE)
        taken = milliseconds(lambda: mine.many(THROUGHPUT_CALLS, THROUGHPUT_WORKERS))
    return Measures(
        cold=cold,
        warm=warm,
        at_once_ms={name: taken for name, (taken, _) in crowds.items()},
        at_once_wrong={name: wrong for name, (_, wrong) in crowds.items()},
        calls_per_second=THROUGHPUT_CALLS / taken * 1000,
        container_mb=memory,
    )


def _cold_starts(systems: Sequence[System], rounds: int) -> tuple[Times, ...]:
    """Time each system from nothing to its first answer; the removal afterwards is not part of it."""
    taken: dict[str, list[float]] = {system.name: [] for system in systems}
    for _ in range(rounds):
        for system in systems:
            taken[system.name].append(milliseconds(system.open) + milliseconds(system.call))
            system.close()
    return tuple(Times(name=name, milliseconds=tuple(times)) for name, times in taken.items())


def _warm(
    session: Session, mine: Ours, embedded: Ours, run: DockerRun, others: Sequence[System], rounds: int
) -> tuple[Times, ...]:
    timed = [
        Timed(name=mine.name, call=mine.call, each_round=FAST),
        Timed(name=SESSION, call=lambda: _run(session), each_round=FAST),
        Timed(name=embedded.name, call=embedded.call, each_round=FAST),
        Timed(name=run.name, call=run.call),
        *[Timed(name=system.name, call=system.call, each_round=2) for system in others],
    ]
    return in_turns(timed, rounds)


@contextmanager
def _session(system: Ours) -> Iterator[Session]:
    assert system.sandbox is not None
    with system.sandbox.open() as session:
        session.run(DOUBLE)
        yield session


def _run(session: Session) -> None:
    if (value := session.run("double(21)").value) != ANSWER:
        raise WrongAnswer(f"the session answered {value!r}, not {ANSWER}")


def _at_once(system: System, count: int) -> tuple[float, int]:
    """Return the milliseconds of each of many calls made at once, and how many were answered wrongly."""
    wrong: list[int] = []
    taken = milliseconds(lambda: wrong.append(system.many(count, count)))
    return taken / count, wrong[0]


def _largest(client: docker.DockerClient, system: System) -> float:
    return max(memory_bytes(client, identity) for identity in system.containers()) / MIB
