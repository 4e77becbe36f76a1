"""Signatures: the sequences of functions in a run, repetitions as one, that plans are induced from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nucleate_text_memory.flow import Flow
from nucleate_text_memory.values import Step, Trajectory

SHORTEST, LONGEST = 2, 8


@dataclass(frozen=True, kw_only=True)
class FunctionRun:
    """Consecutive successful calls of one function: the step indices, in order."""

    function: str
    steps: tuple[int, ...]


def segments(trajectory: Trajectory) -> list[list[FunctionRun]]:
    """Return the trajectory's runs of environment functions; a call of a tool ends a segment.

    A failed call, retried or abandoned, is no part of the procedure and is passed over, and so is a noted thought.
    """
    found: list[list[FunctionRun]] = [[]]
    for index, step in enumerate(trajectory.steps):
        if step.error is not None or _leaves_no_trace(step):
            continue
        if "." not in step.function:
            found.append([])
        else:
            _extend(found[-1], index, step)
    return [segment for segment in found if segment]


def signatures(trajectory: Trajectory) -> dict[tuple[str, ...], tuple[FunctionRun, ...]]:
    """Return the procedures of a run and its contiguous sequences of 2 to 8 calls, each with its first occurrence.

    A sequence (the signature of MSCE App. 8) counts where its calls belong together: values flow between them. Calls of
    one function that could have been made in one go are a procedure of one step, a single call among them.
    """
    flow = Flow(trajectory)
    found: dict[tuple[str, ...], tuple[FunctionRun, ...]] = {}
    for procedure in flow.procedures():
        runs = tuple(FunctionRun(function=trajectory.steps[steps[0]].function, steps=steps) for steps in procedure)
        found.setdefault(tuple(run.function for run in runs), runs)
    for calls in flow.fan_outs():
        function = trajectory.steps[calls[0]].function
        found.setdefault((function,), (FunctionRun(function=function, steps=calls),))
    for segment in segments(trajectory):
        for window in _windows(segment):
            signature = tuple(run.function for run in window)
            if signature not in found and flow.joined([step for run in window for step in run.steps]):
                found[signature] = window
    return found


def _windows(segment: list[FunctionRun]) -> Iterator[tuple[FunctionRun, ...]]:
    for start in range(len(segment)):
        for stop in range(start + SHORTEST, min(start + LONGEST, len(segment)) + 1):
            yield tuple(segment[start:stop])


def _leaves_no_trace(step: Step) -> bool:
    """Return whether a call only notes a thought: the `think` tool that many agents are given."""
    return step.function.rpartition(".")[2] == "think"


def _extend(segment: list[FunctionRun], index: int, step: Step) -> None:
    if segment and segment[-1].function == step.function:
        segment[-1] = FunctionRun(function=step.function, steps=(*segment[-1].steps, index))
    else:
        segment.append(FunctionRun(function=step.function, steps=(index,)))


def closed(counts: dict[tuple[str, ...], int]) -> list[tuple[str, ...]]:
    """Return the signatures of one trajectory that no longer one of it has the same support as.

    Whoever supports a signature supports its parts, so equal counts mean equal supporting sets.
    """
    return [s for s in counts if not any(counts[t] == counts[s] and len(t) > len(s) and _within(s, t) for t in counts)]


def _within(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Return whether the functions of one signature are in another in this order, whatever lies between."""
    rest = iter(long)
    return all(function in rest for function in short)
