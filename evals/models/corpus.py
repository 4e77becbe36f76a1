"""The corpus of replies: what models of the named families write, and what each reply means.

Each file of `replies/` is of one part; a record is `### family | shape`, what is expected, and the reply between marks:

* `code:` a Python block, `call:` a function and its arguments, `value:` a part of the object that is read;
* `rest:` how many further actions the reply holds, which are not carried out;
* `long:` how often the last line of the reply is said;
* `told:` words of the correction where nothing can be read; `ending:` how the reply ended, if not by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from nucleate.executor.actions import CallAction, CodeAction, read_action
from nucleate.manager.asking import Picks
from nucleate.reflection.review_actions import ReviewTurn
from nucleate_codifier.chat import Malformed, Reply, ReplyEnding
from nucleate_codifier.model.actions import Bindings, Turn
from nucleate_codifier.replies.reading import read_reply

FOLDER = Path(__file__).parent / "replies"
SCHEMAS: Mapping[str, type[BaseModel]] = {
    "codifier": Turn,
    "binding": Bindings,
    "manager": Picks,
    "reflector": ReviewTurn,
}
_RECORD = re.compile(
    r"^### (?P<family>[^|\n]+) \| (?P<shape>[^\n]+)\n(?P<head>.*?)^<<<\n(?P<text>.*?)^>>>$", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, kw_only=True)
class WrittenReply:
    """One reply of the corpus."""

    part: str
    file: str
    family: str
    shape: str
    expected: Mapping[str, str]
    reply: Reply

    @property
    def name(self) -> str:
        """Return what the reply is called."""
        return f"{self.part}: {self.family}: {self.shape}"


def corpus(folder: Path = FOLDER) -> tuple[WrittenReply, ...]:
    """Return every reply of the corpus."""
    return tuple(item for path in sorted(folder.glob("*.txt")) for item in _read(path))


def fault_in(item: WrittenReply) -> str:
    """Return how the reading of a reply differs from what it means; empty where it is read rightly."""
    try:
        read = _action(item) if item.part == "executor" else _object(item)
    except Malformed as fault:
        told = item.expected.get("told")
        return "" if told and told in str(fault) else f"not read: {fault}"
    wanted = {key: value for key, value in item.expected.items() if key not in ("ending", "long")}
    wanted.setdefault("rest", "0")
    return "" if _same(wanted, read) else f"read as {read}"


def _action(item: WrittenReply) -> dict[str, str]:
    match read_action(item.reply):
        case CodeAction(code=code, ignored=ignored):
            return {"code": code.rstrip().replace("\n", "\\n"), "rest": str(len(ignored))}
        case CallAction(name=name, arguments=arguments, ignored=ignored):
            return {"call": f"{name} {json.dumps(arguments, ensure_ascii=False)}", "rest": str(len(ignored))}


def _object(item: WrittenReply) -> dict[str, str]:
    found = read_reply(item.reply, SCHEMAS[item.part])
    return {"value": found.value.model_dump_json(), "rest": str(len(found.ignored))}


def _same(wanted: Mapping[str, str], read: Mapping[str, str]) -> bool:
    if wanted.keys() != read.keys() or wanted["rest"] != read["rest"]:
        return False
    if "value" in wanted:
        return _part_of(json.loads(wanted["value"]), json.loads(read["value"]))
    return wanted == read


def _part_of(part: Any, whole: Any) -> bool:
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and _part_of(part[key], whole[key]) for key in part)
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(_part_of, part, whole))
    return bool(part == whole)


def _read(path: Path) -> Iterator[WrittenReply]:
    for found in _RECORD.finditer(path.read_text(encoding="utf-8")):
        lines = [line.partition(": ") for line in found["head"].splitlines()]
        expected = {key: value for key, _, value in lines}
        yield WrittenReply(
            part=path.stem.partition("_")[0],
            file=path.stem,
            family=found["family"],
            shape=found["shape"],
            expected=expected,
            reply=Reply(
                text=_text(found["text"].rstrip("\n"), expected), ending=ReplyEnding(expected.get("ending", "complete"))
            ),
        )


def _text(text: str, expected: Mapping[str, str]) -> str:
    return "\n".join([text, *[text.rpartition("\n")[2]] * (int(expected.get("long", "1")) - 1)])
