"""Which tools are offered at a moment: by what was asked, by what they change, and by whether they can be called now.

A tool that only reads is offered as soon as its arguments are known, since reading harms nobody. One that writes has
to be wanted: see `nucleate.manager.precedents`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nucleate_sandbox import JsonObject
from nucleate_tool_library import ToolVersion

_EXAMPLES = 8
_TOKEN = re.compile(r"[^\s\"'`,;:()\[\]{}<>]+")
_RUNS = re.compile(r"[A-Za-z]+|[0-9]+")


@dataclass(frozen=True, kw_only=True)
class Moment:
    """What is known when tools are offered: all that the user said so far, and what calls answered, as texts."""

    said: tuple[str, ...]
    answers: tuple[str, ...] = ()

    @property
    def forms(self) -> frozenset[str]:
        """Return the forms of all tokens that stand there."""
        return frozenset(form for text in (*self.said, *self.answers) for form in _forms(text))


def knowable(version: ToolVersion, moment: Moment) -> bool | None:
    """Return whether every required argument could be given: a token stands there of a form that it had before.

    None where the forms tell nothing: no earlier calls are known, or no argument has a form beyond plain words.
    """
    wanted = _wanted(json.dumps([version.signature.parameters, _examples(version)], sort_keys=True))
    if not wanted:
        return None
    here = moment.forms
    return all(any(form in here for form in forms) for forms in wanted)


@lru_cache(maxsize=1024)
def _wanted(text: str) -> tuple[frozenset[str], ...]:
    """Return, for each required argument whose earlier values have a telling form, these forms."""
    parameters, examples = json.loads(text)
    found = []
    for name in parameters.get("required") or []:
        values = [leaf for example in examples for leaf in _texts(example.get(name))]
        schema = parameters.get("properties", {}).get(name, {})
        forms = frozenset(form for value in values for form in _forms(value) if _tells(form))
        if forms and "enum" not in schema and all(_TOKEN.fullmatch(value) for value in values):
            found.append(forms)
    return tuple(found)


def _examples(version: ToolVersion) -> list[JsonObject]:
    seen = version.evidence.get("seen")
    runs = [run for run in (seen if isinstance(seen, list) else [])[:_EXAMPLES] if isinstance(run, dict)]
    return [given for run in runs if isinstance(given := run.get("arguments"), dict)]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _forms(text: str) -> Iterator[str]:
    """Yield the form of each token: runs of letters, runs of digits by their length, other characters as they are."""
    for token in _TOKEN.findall(text):
        bare = token.strip(".!?*_")
        if 0 < len(bare) <= 80:
            yield _RUNS.sub(_run, bare)


def _run(found: re.Match[str]) -> str:
    run = found[0]
    return f"0{len(run)}" if run.isdigit() else "a"


def _tells(form: str) -> bool:
    return any(not char.isalpha() for char in form)


def in_state(needed: Sequence[tuple[str, str]], moment: Moment) -> int:
    """Return 1 where an answer shows each field with the value that is needed, -1 where one shows only others.

    0 where nothing is needed, or nothing shows it yet.
    """
    found = [_shown(field, value, moment.answers) for field, value in needed]
    return min(found, default=0)


def _shown(field: str, value: str, answers: Sequence[str]) -> int:
    has = re.compile(rf"\b{re.escape(field)}\"?\s*[:=]\s*\"?{re.escape(value)}\b", re.IGNORECASE)
    any_value = re.compile(rf"\b{re.escape(field)}\"?\s*[:=]", re.IGNORECASE)
    if any(has.search(text) for text in answers):
        return 1
    return -1 if any(any_value.search(text) for text in answers) else 0
