"""The rulebook as documentation: the rules of one gate as Markdown, and their place in the gate's page."""

from __future__ import annotations

from dataclasses import replace
from textwrap import fill as fill_lines

from nucleate_codifier.rulebook.book import RULES, Rule

BEGIN = "<!-- rules: written by `python -m nucleate_codifier.rulebook docs/gates` -->"
END = "<!-- end of rules -->"
SHARED = "shared"


def pages() -> tuple[str, ...]:
    """Return the names of the pages that there must be: one for each gate, and one for what several gates name."""
    return (*sorted({rule.gate for rule in RULES.values()}), SHARED)


def render(page: str) -> str:
    """Return the rules of a page as Markdown, in the order of their names."""
    return "\n".join(map(text_of, _shared() if page == SHARED else _own(page)))


def fill(page: str, text: str) -> str:
    """Return the text of a page with its rules between the two marks; raise ValueError where it has none."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page {page!r} needs the two lines {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n\n{render(page)}\n{END}{after}"


def text_of(rule: Rule) -> str:
    """Return one rule as Markdown."""
    prose = "\n\n".join(map(_filled, (rule.what, f"*Why.* {rule.why}", f"*Fix.* {rule.fix}")))
    return f"### {rule.id}\n\n{prose}\n\n```python\n{rule.bad}```\n\nrather:\n\n```python\n{rule.good}```\n"


def _filled(text: str) -> str:
    return fill_lines(text, 120, break_long_words=False, break_on_hyphens=False)


def _own(gate: str) -> list[Rule]:
    return [rule for rule in RULES.values() if rule.gate == gate and len(_same(rule)) == 1]


def _shared() -> list[Rule]:
    several = {rule.what: _same(rule) for rule in RULES.values() if len(_same(rule)) > 1}
    return [replace(rules[0], id=", ".join(rule.id for rule in rules)) for _, rules in sorted(several.items())]


def _same(rule: Rule) -> list[Rule]:
    return [other for other in RULES.values() if other.what == rule.what]
