"""Names for the tool, its parameters and its local variables, from the names of the functions it calls."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Container

FUNCTION_VERBS = frozenset(
    ["get", "find", "list", "search", "fetch", "read", "load", "lookup", "retrieve", "query", "check", "calculate", "compute", "estimate", "create", "add", "make", "post", "send", "update", "modify", "change", "set", "edit", "delete", "remove", "cancel", "return", "exchange", "refund", "place", "book", "order", "buy", "sell", "purchase", "resolve", "close", "open", "start", "stop", "press", "activate", "fill", "display", "fetch", "show", "view", "transfer", "verify", "authenticate", "register", "login", "logout", "retweet", "mention", "follow", "unfollow", "comment", "issue", "apply", "reserve"]
)
SPELLED_OUT = {"zip": "zip_code", "id": "identifier", "type": "kind"}
EMPTY_NOUNS = frozenset({"details", "detail", "info", "information", "data", "record", "all", "by", "status"})


def identifier(text: str, *, default: str = "value") -> str:
    """Return the text as a lower-case Python identifier that shadows nothing."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    name = re.sub(r"\W+", "_", snake, flags=re.ASCII).strip("_").lower() or default
    name = SPELLED_OUT.get(name, name)
    name = name if name[0].isalpha() else f"{default}_{name}"
    return f"{name}_" if keyword.iskeyword(name) or keyword.issoftkeyword(name) or _shadows(name) else name


def words(function: str) -> list[str]:
    """Return the words of the bare function name: `retail.get_user_details` → get, user, details."""
    return identifier(function.rpartition(".")[2], default="call").strip("_").split("_")


def verb(function: str) -> str:
    """Return the first word of the function's name."""
    return words(function)[0]


def noun(function: str) -> str:
    """Return what the function is about, without verb, `by_…` and empty words; '' where nothing is left."""
    rest = words(function)
    rest = rest[: rest.index("by")] if "by" in rest else rest
    rest = rest[1:] if rest and rest[0] in FUNCTION_VERBS else rest
    while len(rest) > 1 and rest[-1] in EMPTY_NOUNS:
        rest = rest[:-1]
    while len(rest) > 1 and rest[0] in EMPTY_NOUNS:
        rest = rest[1:]
    return "_".join(rest) if rest and rest[-1] not in EMPTY_NOUNS else ""


def plural(name: str) -> str:
    """Return the English plural of a snake-case noun; a plural stays as it is."""
    if name.endswith("s") and not name.endswith(("ss", "us", "is")):
        return name
    if name.endswith("y") and name[-2:-1] not in {"a", "e", "o", "u", ""}:
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
        if candidate not in taken:
            return candidate
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _shadows(name: str) -> bool:
    return name == "env" or hasattr(builtins, name)
