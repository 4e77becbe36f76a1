"""How a sample of a construct is judged: the parse and policy gates together, a sample being a body or a module."""

from __future__ import annotations

from nucleate_codifier.admission.parse_gate import parse_gate
from nucleate_codifier.admission.policy.policy_gate import policy_gate
from tests.codifier.static_subject import body, found, subject


def policy(sample: str) -> list[tuple[str, int | None]]:
    """Return (rule, line) for each objection of the policy to the lines of a body; the first is line 1."""
    return [(rule, line and line - 2) for rule, line in found(policy_gate(subject(body(sample))))]


def module(sample: str) -> list[tuple[str, int | None]]:
    """Return (rule, line) for each objection of both gates to a whole module without a tool of its own."""
    source = f"{sample}\n{body('return n')}"
    return sorted({*found(parse_gate(subject(source))), *found(policy_gate(subject(source)))}, key=str)
