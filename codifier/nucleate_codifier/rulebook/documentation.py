"""The rulebook as documentation: each gate's rules as Markdown, and their place in a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from nucleate_codifier.rulebook.book import RULES, Rule

BEGIN = "<!-- rules: written by `python -m nucleate_codifier.rulebook docs/admission.md` -->"
END = "<!-- end of rules -->"
_ORDER = ("parse", "policy", "closure", "types", "generality", "safety", "compile", "tests", "replay")


def render() -> str:
    """Return every rule as Markdown, the gates in the order in which they run and the codifiers' own last."""
    rules = sorted(RULES.values(), key=lambda rule: (_place(rule.gate), rule.gate, rule.id))
    several = {rule.what for rule in rules if sum(other.what == rule.what for other in rules) > 1}
    own = [rule for rule in rules if rule.what not in several]
    gates = [(gate, list(of_gate)) for gate, of_gate in groupby(own, key=lambda rule: rule.gate)]
    shared = [_of_gates([rule for rule in rules if rule.what == what]) for what in sorted(several)]
    return "\n".join(line for gate, of_gate in [*gates, ("several gates", shared)] for line in _section(gate, of_gate))


def fill(page: str) -> str:
    """Return a page with the rules between its two marks; raise ValueError where it has none."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page needs the two lines {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n\n{render()}\n{END}{after}"


def text_of(rule: Rule) -> str:
    """Return one rule as Markdown."""
    return (
        f"#### {rule.id}\n\n{rule.what}\n\n*Why.* {rule.why}\n\n*Fix.* {rule.fix}\n\n"
        f"```python\n{rule.bad}```\n\nrather:\n\n```python\n{rule.good}```\n"
    )


def _section(title: str, rules: list[Rule]) -> Iterator[str]:
    yield f"### {title}\n"
    yield from map(text_of, rules)


def _of_gates(rules: list[Rule]) -> Rule:
    return replace(rules[0], id=", ".join(rule.id for rule in rules))


def _place(gate: str) -> int:
    return _ORDER.index(gate) if gate in _ORDER else len(_ORDER)
