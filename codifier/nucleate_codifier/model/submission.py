"""A submission before anything is judged: its helpers in dependency order, and what is wrong with its claims."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

from nucleate_codifier.admission.generality.generality_gate import distinct_runs
from nucleate_codifier.admission.parse_gate import public_function
from nucleate_codifier.admission.reading.source import read
from nucleate_codifier.model.actions import Helper, object_of
from nucleate_codifier.model.brief import Brief
from nucleate_codifier.values import Example, Finding

FEWEST_QUERIES = 2


def needs(helper: Helper, helpers: Sequence[Helper]) -> frozenset[str]:
    """Return the names of the other helpers that this one names."""
    module = read(helper.source).module
    used = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)} if module is not None else set[str]()
    return frozenset(used & {other.name for other in helpers} - {helper.name})


def ordered(helpers: Sequence[Helper]) -> tuple[Helper, ...] | None:
    """Return the helpers so that each comes after those that it calls; None where they call one another in a circle."""
    by_name = {helper.name: helper for helper in helpers}
    graph = {helper.name: sorted(needs(helper, helpers)) for helper in helpers}
    try:
        return tuple(by_name[name] for name in TopologicalSorter(graph).static_order())
    except CycleError:
        return None


def claims(helper: Helper, helpers: Sequence[Helper], brief: Brief) -> tuple[Finding, ...]:
    """Return everything that is wrong with what a submission says of a helper."""
    return (
        *_name(helper, helpers, brief),
        *_queries(helper, brief),
        *_parameters(helper),
        *_worth(helper, helpers, brief),
    )


def _name(helper: Helper, helpers: Sequence[Helper], brief: Brief) -> Iterator[Finding]:
    if Counter(other.name for other in helpers)[helper.name] > 1:
        yield _finding("same-name", f"two helpers are named {helper.name!r}", "give each helper a name of its own")
    known = brief.library.tools.get(helper.name)
    # A killed attempt that is resumed submits what is registered already: that changes nothing.
    if helper.name in brief.name_taken and (known is None or known.source != helper.source):
        yield _finding(
            "name-taken", f"a tool is named {helper.name!r} already", "call that tool, or choose another name"
        )
    if ordered(helpers) is None:
        yield _finding(
            "cycle", f"{helper.name!r} is in a submission whose helpers call one another in a circle", "cut it"
        )


def _queries(helper: Helper, brief: Brief) -> Iterator[Finding]:
    texts = {query.number: query.text for query in brief.queries}
    for number in [support.query for support in helper.supports if support.query not in texts]:
        yield _finding("unknown-query", f"there is no query {number}", f"the queries are 1 to {len(texts)}")
    examples = tuple(
        Example(task_id="", query=texts[item.query], arguments=object_of(item.arguments), result=None, calls=())
        for item in helper.supports
        if item.query in texts
    )
    distinct = distinct_runs(examples)
    if distinct < FEWEST_QUERIES:
        yield _finding(
            "too-few-queries",
            f"{helper.name!r} is supported by {distinct} structurally distinct queries; it takes {FEWEST_QUERIES}",
            "name every query that it serves, or leave it out",
        )


def _parameters(helper: Helper) -> Iterator[Finding]:
    module = read(helper.source).module
    function = public_function(module, helper.name) if module is not None else None
    if function is None:
        return  # the parse gate says why
    declared = {arg.arg for arg in [*function.args.args, *function.args.kwonlyargs]}
    covered = {item.parameter for item in helper.covers}
    for name in sorted(declared - covered):
        yield _finding(
            "uncovered-parameter", f"no variation is given for {name!r}", "say what differs, or make it fixed"
        )
    for name in sorted(covered - declared):
        yield _finding("unknown-parameter", f"{helper.name!r} has no parameter {name!r}", "cover the parameters it has")


def _worth(helper: Helper, helpers: Sequence[Helper], brief: Brief) -> Iterator[Finding]:
    """A tool that makes one call saves nothing; a loop over that call does, and so does a call of another tool."""
    module = read(helper.source).module
    if module is None:
        return
    nodes = list(ast.walk(module))
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    loops = any(isinstance(node, ast.For | ast.While | ast.comprehension) for node in nodes)
    others = {*brief.library.tools, *(other.name for other in helpers)} - {helper.name}
    if names.count("env") == 1 and not loops and not others & set(names):
        yield _finding("one-call", f"{helper.name!r} would make one call", "call the function itself, in a larger tool")


def _finding(name: str, message: str, fix: str) -> Finding:
    return Finding(rule=f"model/{name}", message=message, fix=fix)
