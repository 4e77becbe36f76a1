"""The rules as data, read from one Markdown file for each gate.

A file is named after its gate (`policy.md`) and holds one section for each rule: `## policy/import`, a paragraph that
says what is refused, `Why: …`, `Fix: …`, and two blocks of Python, the first refused and the second not. Rules that
several gates share stand in `shared.md` under `## <gate>/timeout`; the line `Gates: …` names the gates.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType

_FIELD = re.compile(r"^(Why|Fix|Gates): (.+?)\n\n", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class UnknownRule(LookupError):
    """There is no rule of this name."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One reason to refuse a candidate: what it means, why it matters, how to put it right, with an example."""

    id: str
    what: str
    why: str
    fix: str
    bad: str
    good: str

    @property
    def gate(self) -> str:
        """Return the gate that names this rule."""
        return self.id.partition("/")[0]


def explain(rule_id: str) -> Rule:
    """Return a rule; raise UnknownRule with the nearest names where there is none."""
    if rule_id in RULES:
        return RULES[rule_id]
    near = difflib.get_close_matches(rule_id[:80], RULES, n=3, cutoff=0.5)
    near = near or [key for key in RULES if key.partition("/")[2] == rule_id][:3]
    meant = f"; did you mean {', '.join(near)}?" if near else "; docs/gates lists all rules"
    raise UnknownRule(f"no rule named {rule_id[:80]!r}{meant}")


def read(text: str) -> Iterator[Rule]:
    """Yield the rules of one file; raise ValueError that names the section which lacks a part."""
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, _, body = section.partition("\n")
        yield from _section(name.strip(), body)


def _section(name: str, body: str) -> Iterator[Rule]:
    fields = {key: " ".join(value.split()) for key, value in _FIELD.findall(body)}
    blocks = _FENCE.findall(body)
    what = " ".join(body.partition("\nWhy: ")[0].split())
    if not what or not {"Why", "Fix"} <= set(fields) or len(blocks) != 2:
        raise ValueError(f"the rule {name!r} needs a first paragraph, `Why:`, `Fix:` and two blocks of Python")
    rule = Rule(id=name, what=what, why=fields["Why"], fix=fields["Fix"], bad=blocks[0], good=blocks[1])
    if "Gates" not in fields:
        yield rule
    for gate in fields.get("Gates", "").split():
        yield replace(rule, id=name.replace("<gate>", gate))


def _all() -> Mapping[str, Rule]:
    folder = files(__package__)
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".md"))
    rules = [rule for name in names for rule in read(folder.joinpath(name).read_text(encoding="utf-8"))]
    twice = sorted({rule.id for rule in rules if [other.id for other in rules].count(rule.id) > 1})
    if twice:
        raise ValueError(f"described twice: {', '.join(twice)}")
    return MappingProxyType({rule.id: rule for rule in sorted(rules, key=lambda rule: rule.id)})


RULES: Mapping[str, Rule] = _all()
