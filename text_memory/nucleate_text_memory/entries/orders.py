"""Text that gives the agent orders, where text should say what is the case."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_ACTION = (
    r"(?:call|use|send|transfer|reply|respond|answer|run|execute|invoke|email|forward|pay|delete|remove|book|reserve|post|"
    r"visit|click|open|download|install|include|add|invite|share|upload|upgrade|buy|refund|wire|tell|say|write|set|change|"
    r"update|approve|grant|redirect|route|recommend|choose|cancel|disable|skip|fetch|give|make|retrieve|output|print)"
)
_AGENT = r"(?:you|the agent|the assistant|agents?|assistants?|the model|the ai)"
# What no statement of fact and no step of a plan says.
_OVERRIDES = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|other|instruction|rule|polic)"
    r"|\b(?:system|developer|assistant)\s{0,9}(?:prompt|message|note|override|:)"
    rf"|\b{_AGENT}\s{{0,9}},?\s{{1,9}}(?:must|should|shall|are now|have to|need to|ought to)\b"
    r"|\binstructions?\b|\bjailbreak"
    r"|\b(?:important|urgent|attention|note to (?:the )?(?:agent|assistant|ai|model)|to-?do)\b\s{0,9}[:!,]"
    r"|\bbefore (?:solving|answering|you)\b.{0,40},"
    r"|<\s{0,9}/?\s{0,9}(?:system|important|instructions?|information|inst|assistant|user)\b"
    r"|\b(?:do not|don't|never)\s+(?:tell|mention|inform|ask|verify|check|confirm|warn|alert|reveal|disclose)\b"
    r"|\b(?:remember|memori[sz]e)\b.{0,30}\b(?:memory|for later|future|from now on|permanently)",
    re.IGNORECASE,
)
_COMMANDS = re.compile(
    r"\b(?:always|never|please|now|instead|next|first|then|immediately|also|from now on|in (?:the )?future|henceforth)"
    rf"\s{{0,9}},?\s{{1,9}}(?:please\s{{1,9}})?{_ACTION}\b"
    rf"|(?:^|[.!?:;]\s+){_ACTION}\s++(?!(?:is|are|was|were|has|had|of)\b)(?:[^\s.]++\s++){{0,6}}?"
    r"(?:to|at|for|from|with|this|the|all|every|an?|my|me|your|them|it)\b",
    re.IGNORECASE | re.MULTILINE,
)


def plain(text: str) -> str:
    """Return the text as it reads: compatible letters folded, invisible ones gone, spaces made one."""
    folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return "\n".join(" ".join(line.split()) for line in folded.splitlines())


def override_in(text: str) -> str | None:
    """Return the words that would set the agent's own rules aside or speak to it; None where none do."""
    found = _OVERRIDES.search(plain(text))
    return found[0].strip() if found else None


def order_in(text: str) -> str | None:
    """Return the words of a text that read like an order to the agent; None where none do."""
    found = _COMMANDS.search(plain(text))
    return override_in(text) or (found[0].strip() if found else None)
