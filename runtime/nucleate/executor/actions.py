"""What a reply asks for: a Python block, one function call, or neither, which is told back word by word."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from nucleate_codifier.chat import Malformed, Reply, ReplyEnding
from nucleate_sandbox import JsonObject

_BLOCK = re.compile(
    r"^[ \t]*+```[ \t]*+(?P<kind>[\w+-]*+)[ \t]*+\n(?P<inside>(?:(?![ \t]*+```)[^\n]*+\n)*+)[ \t]*+```[ \t]*+$",
    re.MULTILINE,
)
_PYTHON = frozenset({"python", "py", "python3"})


@dataclass(frozen=True, kw_only=True)
class CodeAction:
    """A Python block, and the words before it."""

    code: str
    thought: str = ""


@dataclass(frozen=True, kw_only=True)
class CallAction:
    """One call: of an environment function by its dotted name, or of a name in scope."""

    name: str
    arguments: JsonObject
    thought: str = ""


Action: TypeAlias = CodeAction | CallAction


class _Called(BaseModel):
    model_config = ConfigDict(extra="forbid")

    call: str
    arguments: dict[str, JsonValue] = {}


def read_action(reply: Reply) -> Action:
    """Return the action of a reply; raise Malformed with what is wrong with it, for the model to correct."""
    if reply.ending is ReplyEnding.LENGTH:
        raise Malformed("the reply was cut off at the output limit; answer with a shorter block")
    if reply.ending is ReplyEnding.REFUSAL:
        raise Malformed("the reply was a refusal; act, or call finish(...) and say why not")
    blocks = list(_BLOCK.finditer(reply.text))
    if len(blocks) > 1:
        raise Malformed(f"the reply holds {len(blocks)} blocks; give one, and wait for what it answers")
    if not blocks:
        return _bare(reply.text.strip())
    return _action(blocks[0]["kind"].lower(), blocks[0]["inside"], reply.text[: blocks[0].start()].strip())


def _action(kind: str, inside: str, thought: str) -> Action:
    if not inside.strip():
        raise Malformed("the block is empty; write what is to be done")
    if kind in _PYTHON:
        return CodeAction(code=inside, thought=thought)
    if kind == "json":
        return _call(inside, thought)
    raise Malformed(f"the block is marked {kind!r}; mark it as python, or as json for one function call")


def _bare(text: str) -> Action:
    """Read a reply without a block: one JSON object is a call."""
    if not text.startswith("{"):
        raise Malformed("the reply holds no block: answer with one ```python block (or one ```json call)")
    return _call(text, "")


def _call(text: str, thought: str) -> CallAction:
    try:
        called = _Called.model_validate(json.loads(text))
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:4])
        raise Malformed(f'a call is {{"call": "namespace.function", "arguments": {{...}}}} ({found})') from error
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the call is no JSON object ({error})") from error
    return CallAction(name=called.call.removeprefix("env."), arguments=called.arguments, thought=thought)
