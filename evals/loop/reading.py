"""What the scripted model reads in its prompt, and nothing else: functions, tools, guidance, as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_FUNCTION = re.compile(r"^\* `(?P<name>\w+)\(.*?\((?:read|write|destructive)\) (?P<doc>.*)$", re.MULTILINE)
_TOOL = re.compile(r"^\* `(?P<name>\w+)\((?P<parameters>.*?)\) -> .*?`\n(?P<doc>(?:  .*\n?|\n)*)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Offered:
    """A tool as the prompt shows it: name, parameters in order with their annotations, docstring on one line."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    doc: str


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A system prompt, taken apart."""

    docs: dict[str, str]
    tools: tuple[Offered, ...]
    plans: tuple[str, ...]
    warnings: tuple[str, ...]

    def warns_of(self, function: str) -> bool:
        """Return whether a pitfall or a fact names the function."""
        return any(f"`{function}`" in text for text in self.warnings)

    def planned(self, function: str, effect: Iterable[str]) -> bool:
        """Return whether a plan that has this effect names the function."""
        return any(all(f"`{name}`" in plan for name in (function, *effect)) for plan in self.plans)

    def tool_for(self, effect: Iterable[str]) -> Offered | None:
        """Return the first tool whose docstring says what each of these functions says that it does."""
        said = [self.docs[name] for name in effect if name in self.docs]
        return next((tool for tool in self.tools if said and all(text in tool.doc for text in said)), None)


@lru_cache(maxsize=64)
def read_prompt(text: str) -> Prompt:
    """Return a system prompt's parts."""
    functions, tools = _between(text, "# The environment", "# Tools"), _between(text, "# Tools", "# What is known")
    sections = re.split(r"^## (?=Plan:|Pitfall:|Fact:)", _after(text, "# What is known"), flags=re.MULTILINE)[1:]
    return Prompt(
        docs=_docs(functions),
        tools=tuple(_offered(match) for match in _TOOL.finditer(tools)),
        plans=tuple(item for item in sections if item.startswith("Plan:")),
        warnings=tuple(item for item in sections if not item.startswith("Plan:")),
    )


def _docs(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in re.split(r"^## env\.", text, flags=re.MULTILINE)[1:]:
        space, _, rest = part.partition("\n")
        found |= {f"{space.strip()}.{match['name']}": _sentence(match["doc"]) for match in _FUNCTION.finditer(rest)}
    return found


def _offered(match: re.Match[str]) -> Offered:
    pairs = [item.partition(":") for item in match["parameters"].split(", ") if item]
    parameters = tuple((name.strip(), kind.partition("=")[0].strip()) for name, _, kind in pairs)
    return Offered(name=match["name"], parameters=parameters, doc=" ".join(match["doc"].lower().split()))


def _sentence(doc: str) -> str:
    return doc.partition(".")[0].strip().lower()


def _between(text: str, start: str, stop: str) -> str:
    return _after(text, start).partition(f"\n{stop}")[0]


def _after(text: str, start: str) -> str:
    return text.partition(f"\n{start}")[2]
