"""Names as a provider allows them: unique, the same in every list, and mapped back."""

from __future__ import annotations

import hashlib
import keyword
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count

from nucleate.exports.schemas.schema_values import Unrepresentable

LONGEST = 64
TOOL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")  # what OpenAI, Anthropic and Gemini all allow
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")  # what is a name in Python as well
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")  # a folder of Agent Skills, of at most 64 characters
_ODD = re.compile(r"[^A-Za-z0-9_]+")


def mapped(names: Iterable[str], rule: re.Pattern[str] = TOOL) -> Mapping[str, str]:
    """Return each name's own provider name. A valid name stays as it is; `shop.search` becomes `shop_search`.

    Where two would become one, what was changed gets a hash of its name, so the result depends on no order.
    """
    wanted = list(dict.fromkeys(names))
    plain = {name: _plain(name, rule) for name in wanted}
    crowd = Counter(plain.values())
    found = {name: new for name, new in plain.items() if name == new or crowd[new] == 1}
    for name in sorted(set(wanted) - set(found)):
        found[name] = _marked(name, plain[name], rule, taken=set(found.values()))
    return {name: found[name] for name in wanted}


def slug(name: str) -> str:
    """Return a name as a folder of Agent Skills: lower-case words with single hyphens between them."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST].strip("-")


def _plain(name: str, rule: re.Pattern[str]) -> str:
    if _allowed(name, rule):
        return name
    if rule is SLUG:
        return slug(name) or "tool"
    text = _ODD.sub("_", name)
    text = text if text[:1].isalpha() or text[:1] == "_" else f"t_{text}"
    return f"{text}_"[:LONGEST] if keyword.iskeyword(text) else text[:LONGEST]


def _marked(name: str, plain: str, rule: re.Pattern[str], *, taken: set[str]) -> str:
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    join = "-" if rule is SLUG else "_"
    for length in count(8):
        text = f"{plain[: LONGEST - 1 - length].rstrip('-')}{join}{mark[:length]}"
        if text not in taken:
            return text
        if length == len(mark) // 2:
            break
    raise Unrepresentable(f"no name is left for {name!r}; rename it")


def _allowed(name: str, rule: re.Pattern[str]) -> bool:
    return len(name) <= LONGEST and rule.fullmatch(name) is not None and not keyword.iskeyword(name)
