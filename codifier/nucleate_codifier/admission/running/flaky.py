"""Flaky tools: every run of an example, each with another hash seed and in another order, must come out the same."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from nucleate_codifier.admission.reading import source
from nucleate_codifier.admission.running.bench import Benches
from nucleate_codifier.admission.running.compare import ending, told_apart
from nucleate_codifier.admission.running.examples import Ran
from nucleate_codifier.admission.running.grounds import run
from nucleate_codifier.values import Finding
from nucleate_sandbox import Outcome

HASH_WORDS = frozenset(
    {
        "set",
        "frozenset",
        "hash",
        "id",
        "repr",
        "object",
        "keys",
        "items",
        "Counter",
        "difference",
        "union",
        "intersection",
    }
)


def check_flaky(benches: Benches, ran: Sequence[Ran], *, text: str) -> list[Finding]:
    """Return a finding for each example that did not always come out as it did the first time.

    Each is run again with another hash seed; a source in which an order may hang on hashes, with a third one.
    """
    backwards = [item.ground for item in reversed(ran)]
    turns = range(1, len(benches.all) if hash_bound(text) else 2)
    again = [benches.each(run, backwards, shift=shift)[::-1] for shift in turns]
    findings = []
    for item, *others in zip(ran, *again, strict=True):
        other = next((other for other in others if told_apart(item.outcome, other) is not None), None)
        if other is not None:
            findings.append(_finding(item, other))
    return findings


def hash_bound(*texts: str) -> bool:
    """Return whether a source holds a set, a hash or an address: what comes out in another order with another seed."""
    return any(
        _is_hash_bound(node) for text in texts for node in ast.walk(source.read(text).module or ast.Module([], []))
    )


def _is_hash_bound(node: ast.AST) -> bool:
    if isinstance(node, ast.Name | ast.Attribute):
        return (node.id if isinstance(node, ast.Name) else node.attr) in HASH_WORDS
    # Of views of a dictionary, `|`, `&`, `-` and `^` make sets.
    return isinstance(node, ast.Set | ast.SetComp | ast.BitOr | ast.BitAnd | ast.BitXor)


def _finding(ran: Ran, other: Outcome) -> Finding:
    apart = told_apart(ran.outcome, other)
    both = f"one run {ending(ran.outcome)}, another {ending(other)}"
    return Finding(
        rule="tests/flaky",
        message=f"example of task {ran.example.task_id!r}: {both if ending(ran.outcome) != ending(other) else apart}",
        fix="sort what comes out of a set, and use no clock, random source or address",
    )
