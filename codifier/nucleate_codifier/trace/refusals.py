"""Why a plan does not become a tool, in words that name the step, the argument, the runs and what would decide."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier.trace.expressions import Best, Const, PathElement, Var, Where
from nucleate_codifier.values import Finding

MOST_NAMED = 4


class Refused(Exception):
    """The plan cannot be compiled: the finding, and the position in the signature. `codify` returns it as a value."""

    def __init__(self, finding: Finding, *, position: int = 0) -> None:
        super().__init__(finding.message)
        self.finding = finding
        self.position = position


def refused(rule: str, message: str, fix: str) -> Refused:
    """Return the refusal under a rule of this codifier."""
    return Refused(Finding(rule=f"trace/{rule}", message=message, fix=fix))


def too_deep() -> Finding:
    """Return the finding against recorded values that no source could hold; shallower ones meet the parse gate's."""
    return Finding(
        rule="parse/nesting",
        message="a recorded value is nested more deeply than Python can follow",
        fix="Record runs whose values are flatter.",
    )


def no_common_source(function: str, argument: str, where: Sequence[str]) -> Refused:
    """Return the refusal of an argument that earlier results give, but not in one way; `where` tells how per run."""
    seen = "; ".join(where[:MOST_NAMED])
    return refused(
        "no-common-source",
        f"{argument!r} of {function} is taken from earlier results, in no way that holds in every run: {seen}",
        f"Record a run whose query states {argument!r}, or more runs that choose it by the same rule as the first.",
    )


def only_one(function: str, argument: str, task_ids: Sequence[str]) -> Refused:
    """Return the refusal of an element that had no others beside it: first, last and each look the same."""
    return refused(
        "only-one-element",
        f"{argument!r} of {function} is the only element of its list in every run: {names(task_ids)}",
        f"Record a run in which the list is longer: it decides whether {function} is called for the first or for each.",
    )


def several_rules(function: str, argument: str, rules: Sequence[Var]) -> Refused:
    """Return the refusal of a choice that several rules explain."""
    told = [text for rule in rules for element in rule.path if (text := _told(element))]
    return refused(
        "several-rules",
        f"{argument!r} of {function} could be that of {' or '.join(told[:MOST_NAMED])}: both hold in every run",
        f"Record a run in which {told[0]} is not also {told[1]}.",
    )


def several_filters(function: str, fields: Sequence[str]) -> Refused:
    """Return the refusal of a loop over part of a list that several fields tell from the rest."""
    told = " and ".join(repr(field) for field in fields[:MOST_NAMED])
    return refused(
        "several-rules",
        f"{function} is called for some elements of a list, which {told} tell from the others alike in every run",
        f"Record a run in which an element has the same {fields[0]!r} as those, and another {fields[1]!r}.",
    )


def several_forms(function: str, argument: str, forms: Sequence[str], task_ids: Sequence[str]) -> Refused:
    """Return the refusal of a value that is written in another way, which could be one of several."""
    return refused(
        "several-rules",
        f"{argument!r} of {function} is an earlier value in another form, {' or '.join(forms)}: "
        f"both hold in {names(task_ids)}",
        "Record a run in which these forms differ: a date after the 12th of a month, a name in another case.",
    )


def _told(element: PathElement) -> str:
    match element:
        case Best():
            return f"the element with the {'greatest' if element.most else 'least'} {element.field!r}"
        case Where(equals=Const(value=value)):
            return f"the first element whose {element.field!r} is {value!r}"
        case _:
            return ""


def uneven_group(function: str, lengths: Sequence[str]) -> Refused:
    """Return the refusal of a repeated call that follows no list; `lengths` tells how often per run."""
    return refused(
        "no-common-loop",
        f"{function} is repeated over no list that the runs share: {'; '.join(lengths[:MOST_NAMED])}",
        f"Record runs that call {function} for every element of one earlier result, or for values of the query.",
    )


def names(task_ids: Sequence[str]) -> str:
    """Return the first task ids, and how many more there are."""
    more = len(task_ids) - MOST_NAMED
    return ", ".join(task_ids[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
