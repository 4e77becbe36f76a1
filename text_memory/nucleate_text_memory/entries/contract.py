"""The memory contract as data: which kinds are allowed, what each requires, how long it lives, what is forbidden."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from nucleate_text_memory.entries.trust import trust_of
from nucleate_text_memory.errors import ContractRefusal
from nucleate_text_memory.values import Draft, Kind, Trust

_ROLE = re.compile(r"^[^\S\n]*+\W{0,3}(user|assistant|human|ai|system|tool)\W{0,3}:", re.IGNORECASE | re.MULTILINE)
_REASONING = re.compile(r"<\s{0,9}/?\s{0,9}(think|thinking|scratchpad|reasoning)\s*>", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\[redacted:[a-z_]{1,40}(?:-\d+)?\]")


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KindRule(_Data):
    """What one kind of entry requires, and for how many days it lives unless it is seen again (0: without end)."""

    requires: tuple[Literal["scope", "source", "body", "content"], ...]
    evidence_from: tuple[Trust, ...]
    days_to_live: int = Field(ge=0)


class Redaction(_Data):
    """Where personal identifiers are replaced, besides secrets, which always are."""

    personal_in_entries: bool
    personal_in_trajectories: bool


class Episodes(_Data):
    """How long whole runs are kept, and how many of one sequence of calls stay for ever."""

    grace_days: int = Field(ge=0)
    exemplars: int = Field(ge=1)
    automatic_above: int = Field(ge=0)


class Contract(_Data):
    """What may become memory; `load()` gives the one in the package."""

    longest_text: int = Field(ge=1)
    kinds: dict[Kind, KindRule]
    forbidden: dict[Literal["credential", "transcript", "reasoning"], str]
    redaction: Redaction
    episodes: Episodes


@cache
def load() -> Contract:
    """Return the contract that ships with the package."""
    text = resources.files("nucleate_text_memory.entries").joinpath("contract.toml").read_text(encoding="utf-8")
    return Contract.model_validate(tomllib.loads(text))


def check(contract: Contract, draft: Draft) -> None:
    """Raise ContractRefusal with every clause that a redacted draft breaks."""
    broken = [*_kind_clauses(contract, draft), *_forbidden_clauses(contract, draft)]
    if broken:
        raise ContractRefusal("; ".join(broken))


def _kind_clauses(contract: Contract, draft: Draft) -> list[str]:
    rule = contract.kinds.get(draft.kind)
    if rule is None:
        allowed = ", ".join(sorted(contract.kinds)) or "none"
        return [f"{draft.kind}.allowed: the contract allows no {draft.kind}; it allows {allowed}"]
    broken = [
        f"{draft.kind}.requires.{name}: it has no {name}; give one"
        for name in rule.requires
        if getattr(draft, name) in (None, "")
    ]
    trust = trust_of(draft.source)
    if trust in rule.evidence_from and not draft.evidence:
        broken.append(
            f"{draft.kind}.evidence: what {draft.source!r} says needs the step ids that it was read from; add them"
        )
    if any(_PLACEHOLDER.search(part) for part in draft.signature):
        broken.append(
            f"{draft.kind}.key: what it is about is a secret or a personal identifier; name it by an id that is neither"
        )
    if max(len(draft.title), len(draft.body)) > contract.longest_text:
        broken.append(
            f"{draft.kind}.longest_text: it is longer than {contract.longest_text} characters; say it shorter"
        )
    return broken


def _forbidden_clauses(contract: Contract, draft: Draft) -> list[str]:
    text = f"{draft.title}\n{draft.body}"
    found = {
        "credential": bool(_PLACEHOLDER.search(draft.body)) and not re.search(r"\w", _PLACEHOLDER.sub("", draft.body)),
        "transcript": len(_ROLE.findall(text)) >= 2,
        "reasoning": bool(_REASONING.search(text)),
    }
    return [f"forbidden.{name}: {why}" for name, why in contract.forbidden.items() if found[name]]
