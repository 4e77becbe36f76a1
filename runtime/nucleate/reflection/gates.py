"""What a proposal must pass before it counts: grounded, general, not redundant, and within what an agent may change."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from nucleate.reflection.grounding import ordered, ungrounded
from nucleate.reflection.review_actions import Add, Invalidate, Merge, Proposal, Revise
from nucleate_text_memory import Draft, Entry, MemoryFault, SourceSpan, Step, Trajectory, Trust, drafted
from nucleate_text_memory.entries.orders import order_in
from nucleate_text_memory.values import Json

ALIKE = 0.9
MOST_PROPOSALS = 8
_WORD = re.compile(r"\w{4,}")


@dataclass(frozen=True, kw_only=True)
class Gates:
    """Judges the proposals of one review. `entries` are those in force in the run's scope, by id.

    `similar` gives the likeness of a text to others in [-1, 1]; `check` raises MemoryFault for what the memory's
    contract refuses.
    """

    trajectory: Trajectory
    entries: Mapping[str, Entry]
    similar: Callable[[str, Sequence[str]], Sequence[float]]
    check: Callable[[Draft], None]
    source: str
    functions: Collection[str] = ()

    def judge(self, proposal: Proposal, accepted: Sequence[Proposal] = ()) -> tuple[str, ...]:
        """Return every reason against a proposal; none where it counts."""
        if len(accepted) >= MOST_PROPOSALS:
            return (f"{MOST_PROPOSALS} proposals of one review are enough; finish",)
        if any(_same(proposal, other) for other in accepted):
            return ("it was proposed already",)
        reasons = [*self._of_a_failure(proposal), *self._ungrounded(proposal), *self._out_of_reach(proposal)]
        if not isinstance(proposal, Invalidate):
            reasons += self._particular(proposal)
        if not isinstance(proposal, Invalidate) and not reasons:
            reasons += [*self._redundant(proposal), *self._against_contract(proposal)]
        return tuple(reasons)

    def draft(self, proposal: Add | Merge | Revise) -> Draft:
        """Return what a proposal would write. Words after an answer that gave orders are those of the tool."""
        draft = drafted(proposal.entry.content(), scope=self.trajectory.environment, source=self._source(proposal))
        return replace(draft, evidence=tuple(_spans(self.trajectory.task_id, proposal.steps)))

    def _source(self, proposal: Add | Merge | Revise) -> str:
        cited = self._cited(proposal)
        for step in cited:
            if any(order_in(text) for text in (_answers(step.result) if step.error is None else (step.error.message,))):
                return f"tool:{step.function}"
        speaking = ordered(self._words(proposal), cited, self.trajectory.steps)
        return self.source if speaking is None else f"tool:{speaking}"

    def _cited(self, proposal: Proposal) -> list[Step]:
        steps = self.trajectory.steps
        return [steps[number - 1] for number in sorted(set(proposal.steps)) if 1 <= number <= len(steps)]

    def _ungrounded(self, proposal: Proposal) -> Iterator[str]:
        """Mechanistically grounded: the steps exist, and a function of theirs is what the proposal is about."""
        steps = self.trajectory.steps
        missing = [number for number in proposal.steps if not 1 <= number <= len(steps)]
        if missing:
            yield f"steps {missing!r} do not exist; the run has {len(steps)}"
            return
        functions = {steps[number - 1].function for number in proposal.steps}
        said = self._words(proposal)
        if not any(name in said or name.rpartition(".")[2] in said for name in functions):
            yield f"it names none of the functions of its steps ({', '.join(sorted(functions))}); say which it is about"
            return
        if not isinstance(proposal, Invalidate):
            missing_names = ungrounded(said, self._cited(proposal), self.functions)
            if missing_names:
                yield (
                    f"{', '.join(map(repr, missing_names[:4]))} stand{'s' * (len(missing_names) == 1)} in none of the "
                    "steps that it cites; cite the step that shows it, or leave it out"
                )

    def _of_a_failure(self, proposal: Proposal) -> Iterator[str]:
        """A run that failed shows what does not work; a plan made of it would be a guess."""
        if self.trajectory.success is False and not isinstance(proposal, Invalidate) and proposal.entry.kind == "plan":
            yield "the run failed, so it shows no plan that works; write the cause, or that it is unknown"

    def _out_of_reach(self, proposal: Proposal) -> Iterator[str]:
        """Right scope: only what is in force here, and what agents vouch for, is an agent's to replace or take back."""
        for id_ in _touched(proposal):
            entry = self.entries.get(id_)
            if entry is None or entry.scope != self.trajectory.environment:
                yield f"no entry {id_!r} is in force in {self.trajectory.environment!r}; search_memory shows ids"
            elif entry.trust in (Trust.USER, Trust.ENVIRONMENT):
                yield f"entry {id_!r} is vouched for by {entry.source!r}; an agent cannot change it"
            elif not isinstance(proposal, Invalidate) and entry.kind.value != proposal.entry.kind:
                yield f"entry {id_!r} is a {entry.kind}, the proposal a {proposal.entry.kind}"
            elif entry.signature and entry.kind.value == "plan" and not isinstance(proposal, Invalidate):
                yield f"plan {id_!r} is kept by its recorded calls; only plans in words are merged or revised"

    def _particular(self, proposal: Add | Merge | Revise) -> Iterator[str]:
        """General enough: nothing that only this task was about."""
        said = self._words(proposal).casefold()
        own = {text.casefold() for step in self.trajectory.steps for text in _answers(step.arguments)}
        found = sorted(text for text in own if _is_particular(text) and text in said)
        if found:
            yield f"it holds values of this one task ({', '.join(map(repr, found[:4]))}); say what they stand for"

    def _redundant(self, proposal: Add | Merge | Revise) -> Iterator[str]:
        touched = _touched(proposal)
        kind = proposal.entry.kind
        others = [entry for entry in self.entries.values() if entry.kind.value == kind and entry.id not in touched]
        draft = self.draft(proposal)
        likeness = self.similar(f"{draft.title}\n{draft.body}", [f"{one.title}\n{one.body}" for one in others])
        for entry, value in zip(others, likeness, strict=True):
            if value >= ALIKE:
                yield f"entry {entry.id!r} says it already ({value:.2f} alike); merge or revise it, or leave it"
                return

    def _against_contract(self, proposal: Add | Merge | Revise) -> Iterator[str]:
        try:
            self.check(self.draft(proposal))
        except MemoryFault as fault:
            yield str(fault)

    def _words(self, proposal: Proposal) -> str:
        if isinstance(proposal, Invalidate):
            entry = self.entries.get(proposal.id)
            return f"{entry.title}\n{entry.body}\n{entry.signature}" if entry else ""
        draft = drafted(proposal.entry.content(), scope=self.trajectory.environment, source=self.source)
        return f"{draft.title}\n{draft.body}"


def _touched(proposal: Proposal) -> tuple[str, ...]:
    match proposal:
        case Merge(ids=ids):
            return ids
        case Revise(id=id_) | Invalidate(id=id_):
            return (id_,)
        case Add():
            return ()


def _same(one: Proposal, other: Proposal) -> bool:
    if set(_touched(one)) & set(_touched(other)):
        return True
    return isinstance(one, Add) and isinstance(other, Add) and one.entry == other.entry


def _spans(task_id: str, numbers: Sequence[int]) -> Iterator[SourceSpan]:
    """Yield the steps as half-open ranges, counted from 0; those that touch are one."""
    first = last = None
    for number in sorted(set(numbers)):
        if last is not None and first is not None and number > last + 1:
            yield SourceSpan(task_id=task_id, start=first - 1, stop=last)
            first = None
        first, last = first or number, number
    if first is not None and last is not None:
        yield SourceSpan(task_id=task_id, start=first - 1, stop=last)


def _answers(value: Json) -> Iterator[str]:
    """Yield every text and number of a JSON value."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _answers(item)


def _is_particular(text: str) -> bool:
    """Return whether a value names one thing: it has a digit, an @ or several words, and is no short word."""
    if len(text) < 4:
        return False
    return any(c.isdigit() or c == "@" for c in text) or len(_WORD.findall(text)) >= 2
