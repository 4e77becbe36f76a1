"""English in snake case: identifiers, nouns and verbs of functions, plurals, names that are free."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Container

SPELLED_OUT = {"zip": "zip_code", "id": "identifier", "type": "kind"}
EMPTY_NOUNS = frozenset({"details", "detail", "info", "information", "data", "record", "all", "status"})
PREPOSITIONS = frozenset({"by", "to", "from", "of", "in", "on", "for", "with", "based", "and", "at", "into"})
SILENT_VERBS = frozenset({"get", "fetch", "read", "load", "retrieve", "show", "display", "view", "list", "find"})
PARTICIPLES = {
    "buy": "bought",
    "cancel": "cancelled",
    "give": "given",
    "make": "made",
    "pay": "paid",
    "put": "put",
    "sell": "sold",
    "send": "sent",
    "set": "set",
    "stop": "stopped",
    "submit": "submitted",
    "take": "taken",
    "write": "written",
}


def identifier(text: str, *, default: str = "value") -> str:
    """Return the text as a lower-case Python identifier that shadows nothing."""
    name = snake(text) or default
    name = SPELLED_OUT.get(name, name)
    name = name if name[0].isalpha() else f"{default}_{name}"
    return f"{name}_" if keyword.iskeyword(name) or keyword.issoftkeyword(name) or _shadows(name) else name


def snake(text: str) -> str:
    """Return the text in snake case: `pressBrakePedal` → press_brake_pedal."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    return re.sub(r"\W+", "_", spaced, flags=re.ASCII).strip("_").lower()


def words(function: str) -> list[str]:
    """Return the words of the bare function name: `retail.get_user_details` → get, user, details."""
    return snake(function.rpartition(".")[2]).split("_")


def verb(function: str) -> str:
    """Return the first word of the function's name."""
    return words(function)[0]


def noun(function: str) -> str:
    """Return what the function is about, without verb, `by_…` and empty words; '' where nothing is left."""
    rest = objects(function)
    while rest and rest[-1] in EMPTY_NOUNS:
        rest = rest[:-1]
    while rest and rest[0] in EMPTY_NOUNS:
        rest = rest[1:]
    return "_".join(rest)


def objects(function: str) -> list[str]:
    """Return the words between the verb and the first preposition: `find_user_id_by_email` → user, id."""
    rest = words(function)[1:]
    stop = next((index for index, word in enumerate(rest) if word in PREPOSITIONS), len(rest))
    return rest[:stop]


def participle(word: str) -> str:
    """Return the past participle of a verb: cancel → cancelled, modify → modified."""
    if word in PARTICIPLES:
        return PARTICIPLES[word]
    if word.endswith("e"):
        return f"{word}d"
    return f"{word[:-1]}ied" if re.search(r"[^aeiou]y$", word) else f"{word}ed"


def plural(name: str) -> str:
    """Return the English plural of a snake-case noun; a plural stays as it is."""
    if name.endswith("s") and not name.endswith(("ss", "us", "is")):
        return name
    if re.search(r"[^aeiou_]y$", name):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "ch", "sh")) else f"{name}s"


def singular(name: str) -> str:
    """Return the English singular of a snake-case noun, or `item` where it has none of its own."""
    if name.endswith("ies") and len(name) > 4:
        return f"{name[:-3]}y"
    if name.endswith(("sses", "xes", "ches", "shes")):
        return name[:-2]
    if name.endswith("s") and not name.endswith(("ss", "us", "is")) and len(name) > 2:
        return name[:-1]
    return "item"


def free(name: str, taken: Container[str], *more: str) -> str:
    """Return the first of the names that is not taken, or the first with the least number that is free."""
    for candidate in (name, *more):
        if candidate and candidate not in taken:
            return candidate
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _shadows(name: str) -> bool:
    return name == "env" or hasattr(builtins, name)
