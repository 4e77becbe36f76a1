"""The procedures inside a run: calls, and the earlier calls whose answers gave their arguments.

A procedure ends in one call, or in calls of one function that got their arguments from the same places. It begins at
any point from which values flow to that end. What stands between and hands nothing on is left out of it, and so are
failed calls and calls made again. Reads between which no value flows have no order of their own: they come by how far
values flow to them, then by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from nucleate_text_memory.identity import canonical
from nucleate_text_memory.origins import Origins, leaves, mark, telling
from nucleate_text_memory.values import JsonObject, Step, Trajectory

MOST_GROUPS = 6
MOST_FROM_ONE_END = 12


@dataclass(frozen=True)
class CallGroup:
    """Calls of one function whose arguments came from the answers of the same earlier groups."""

    function: str
    parents: frozenset[int]


class Flow:
    """The calls of a run as groups, and what flows between them."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.groups: list[CallGroup] = []
        self.members: list[list[int]] = []
        self._of_step: dict[int, int] = {}
        self._given: dict[int, frozenset[int]] = {}
        for index in _kept(trajectory.steps):
            if not self.origins.told_by_text(index):
                self._place(index)

    @cached_property
    def origins(self) -> Origins:
        """Return where the values of the run came from."""
        return Origins(self.trajectory)

    def procedures(self) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Yield each procedure as the step indices of its groups, in order."""
        for end in range(len(self.groups)):
            first = min(self.members[end])
            for chosen in self._backwards(end):
                found = [self._before(group, first if group != end else None) for group in self._ordered(chosen)]
                if all(found) and not _meets_itself([self.trajectory.steps[group[0]].function for group in found]):
                    yield tuple(found)

    def fan_outs(self) -> Iterator[tuple[int, ...]]:
        """Yield the calls of each function that could have been made in one go: all were known before the first.

        Whoever made the first knew the arguments of the others then. One call is a list of one.
        """
        by_function: dict[str, list[int]] = {}
        for index in sorted(self._of_step):
            if self._arguments(index):
                by_function.setdefault(self.trajectory.steps[index].function, []).append(index)
        for calls in by_function.values():
            known = tuple(index for index in calls if self._known_at(index, calls[0]))
            if len(known) == 1 or len({canonical(self._arguments(index)) for index in known}) > 1:
                yield known

    def _known_at(self, index: int, before: int) -> bool:
        """Return whether each argument of a call that an event gave was there before another call."""
        told = [(name, leaf) for name, value in self._arguments(index).items() for leaf in leaves(value)]
        held = (self.origins.of(leaf, before=index, argument=name) for name, leaf in told)
        return all(moment is None or moment <= (before, 0) for moment in held)

    def joined(self, steps: Sequence[int]) -> bool:
        """Return whether calls belong together: by what flows between them, by a value that they share, or by none.

        A call that the orders in an answer's text told belongs to nothing.
        """
        if any(self.origins.told_by_text(index) for index in steps):
            return False
        told = {index: {mark(leaf) for leaf in leaves(self._arguments(index)) if telling(leaf)} for index in steps}
        if not any(told.values()):
            return True
        met, waiting = {steps[0]}, [steps[0]]
        while waiting:
            one = waiting.pop()
            near = [o for o in steps if o not in met and (self._flows(o, one) or told[o] & told[one])]
            met.update(near)
            waiting += near
        return len(met) == len(set(steps))

    def _flows(self, one: int, other: int) -> bool:
        return one in self.gives(other) or other in self.gives(one)

    def _arguments(self, index: int) -> JsonObject:
        return self.trajectory.steps[index].arguments

    def gives(self, index: int) -> frozenset[int]:
        """Return the steps whose answers first held an argument of this one."""
        if index not in self._given:
            told = [(name, leaf) for name, value in self._arguments(index).items() for leaf in leaves(value)]
            held = (self.origins.of(leaf, before=index, argument=name) for name, leaf in told)
            self._given[index] = frozenset(moment[0] for moment in held if moment is not None and moment[1])
        return self._given[index]

    def _place(self, index: int) -> None:
        parents = frozenset(self._of_step[step] for step in self.gives(index) if step in self._of_step)
        group = CallGroup(self.trajectory.steps[index].function, parents)
        if group not in self.groups:
            self.groups.append(group)
            self.members.append([])
        self._of_step[index] = self.groups.index(group)
        self.members[self._of_step[index]].append(index)

    def _backwards(self, end: int) -> Iterator[frozenset[int]]:
        """Yield the sets of groups that lead to an end, closed between: what lies on the way is never left out."""
        before = self._ancestors(end)
        children = {g: {c for c in before | {end} if g in self.groups[c].parents} for g in before}
        waiting, seen = [frozenset({end})], {frozenset({end})}
        while waiting and len(seen) < MOST_FROM_ONE_END:
            chosen = waiting.pop(0)
            if len(chosen) == MOST_GROUPS:
                continue
            for more in sorted(before - chosen):
                grown = chosen | {more}
                if children[more] <= chosen and grown not in seen:
                    seen.add(grown)
                    waiting.append(grown)
                    yield grown

    def _ancestors(self, group: int) -> frozenset[int]:
        parents = self.groups[group].parents
        return parents.union(*(self._ancestors(parent) for parent in parents)) if parents else parents

    def _ordered(self, chosen: frozenset[int]) -> list[int]:
        levels: dict[int, int] = {}
        for group in sorted(chosen):  # a group's parents have lower numbers
            levels[group] = 1 + max((levels[p] for p in self.groups[group].parents if p in chosen), default=0)
        return sorted(chosen, key=lambda group: (levels[group], self.groups[group].function, group))

    def _before(self, group: int, stop: int | None) -> tuple[int, ...]:
        return tuple(index for index in self.members[group] if stop is None or index < stop)


def view(trajectory: Trajectory, groups: Sequence[tuple[int, ...]]) -> tuple[Trajectory, int]:
    """Return the run as it would be had the procedure been made in one go, and the index of its first call.

    What the procedure needs from before stands before it; calls that lay between are left out.
    """
    own = [index for group in groups for index in group]
    if own == list(range(own[0], own[-1] + 1)):
        return trajectory, own[0]
    flow, first, needed = Flow(trajectory), min(own), set[int]()
    waiting = list(own)
    while waiting:
        more = flow.gives(waiting.pop()) - needed - set(own)
        needed |= more
        waiting += more
    before = [i for i in range(max(own)) if i not in own and (i < first or i in needed)]
    order = {old: new for new, old in enumerate([*before, *own])}
    said = tuple(replace(one, at=_moved(one.at, first, order, len(before))) for one in trajectory.said)
    return replace(trajectory, steps=tuple(trajectory.steps[index] for index in order), said=said), len(before)


def _moved(at: int, first: int, order: Mapping[int, int], before: int) -> int:
    made = sum(1 for old, new in order.items() if old < at and (at > first or new < before))
    return made if at > first else min(made, before)


def _kept(steps: Sequence[Step]) -> Iterator[int]:
    """Yield the successful calls of environment functions, each but once where it was made again as it was.

    Made again right after itself with an answer of its own, it had an effect of its own: two labels are printed.
    """
    seen: set[tuple[str, str]] = set()
    answers: set[str] = set()
    last: tuple[str, str] | None = None
    for index, step in enumerate(steps):
        if step.error is not None or "." not in step.function:
            continue
        key, answer = (step.function, canonical(step.arguments)), canonical(step.result)
        answers = answers if key == last else set()
        if key not in seen or (key == last and answer not in answers):
            yield index
        seen.add(key)
        answers.add(answer)
        last = key


def _meets_itself(functions: Sequence[str]) -> bool:
    return any(one == other for one, other in pairwise(functions))
