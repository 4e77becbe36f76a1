"""Facts over active plans: what several plans share is a property of the environment, not of a task (MSCE App. 8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from nucleate_text_memory.contents import FactContent
from nucleate_text_memory.entries.drafts import drafted
from nucleate_text_memory.entries.entries import confidence
from nucleate_text_memory.values import Draft, Entry, Kind


def shared_orders(plans: Iterable[Entry], *, quorum: int = 2) -> list[Draft]:
    """Return a fact for each function that every one of at least `quorum` unlike plans calls right after one other.

    Plans of which one contains the other are one piece of evidence, not two.
    """
    active = [plan for plan in plans if plan.valid and plan.kind is Kind.PLAN and plan.signature]
    before: defaultdict[tuple[str, str], dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    for plan in active:
        for earlier, later in zip(plan.signature, plan.signature[1:], strict=False):
            before[plan.scope, later][earlier].append(plan)
    return [
        _fact(scope, later, earlier, found)
        for (scope, later), preceding in sorted(before.items())
        for earlier, found in preceding.items()
        if len(preceding) == 1 and len(_unlike(found)) >= quorum
    ]


def _unlike(plans: list[Entry]) -> list[Entry]:
    kept: list[Entry] = []
    for plan in sorted(plans, key=lambda one: (-len(one.signature), one.id)):
        if not any(_within(plan.signature, other.signature) for other in kept):
            kept.append(plan)
    return kept


def _within(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    return any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))


def _fact(scope: str, later: str, earlier: str, plans: list[Entry]) -> Draft:
    content = FactContent(subject=f"`{later}`", predicate="is called right after", value=f"`{earlier}`")
    evidence = {one.task_id: one for plan in plans for one in plan.evidence}
    draft = drafted(content, scope=scope, source=f"task:{min(evidence, default='')}")
    return replace(draft, evidence=tuple(evidence.values()), confidence=confidence(len(evidence)))
