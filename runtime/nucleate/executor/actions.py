"""What a reply asks for: a Python block, one function call, or neither, which is told back word by word."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from nucleate_codifier.chat import Malformed, Reply, ReplyEnding
from nucleate_codifier.replies.call_shapes import WrittenCall, calls_in
from nucleate_codifier.replies.fences import PYTHON, Fence, fences, parses
from nucleate_codifier.replies.loose_json import fault_of
from nucleate_codifier.replies.reasoning import answer_of
from nucleate_sandbox import JsonObject

_LONGEST = 120  # characters of an action that was not carried out
_MOST_LINES = 40  # lines of a reply without a block at which code may begin
_TAGGED = re.compile(r"<(code|execute|execute_ipython|python|code_action)>(?P<code>(?:(?!</?\1>).)*+)</\1>", re.DOTALL)
_OPENED = re.compile(r"(?:`{3,}|~{3,}|<\|?)[\w|>]*\s*\Z")  # what opens the action behind the thought
_OURS = frozenset({"env", "finish", "recall", "search_functions"})


@dataclass(frozen=True, kw_only=True)
class CodeAction:
    """A Python block, the words before it, and the further actions of the reply, which are not carried out."""

    code: str
    thought: str = ""
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CallAction:
    """One call: of an environment function by its dotted name, or of a name in scope. Else like CodeAction."""

    name: str
    arguments: JsonObject
    thought: str = ""
    ignored: tuple[str, ...] = ()


Action: TypeAlias = CodeAction | CallAction


@dataclass(frozen=True, kw_only=True)
class _Placed:
    start: int
    action: Action = field(repr=False)


def read_action(reply: Reply) -> Action:
    """Return the first action of a reply; raise Malformed with what is wrong with it, for the model to correct."""
    if reply.ending is ReplyEnding.REFUSAL:
        raise Malformed("the reply was a refusal; act, or call finish(...) and say why not")
    answer = answer_of(reply.text)
    cut = reply.ending is ReplyEnding.LENGTH
    blocks = [block for block in fences(answer.text) if block.closed or not cut]
    found = _marked(blocks, answer.text) or _unmarked(blocks) or ([] if cut else _bare(answer.text))
    if found:
        first, *rest = sorted(found, key=lambda item: item.start)
        thought = _OPENED.sub("", answer.text[: first.start]).strip()
        return replace(first.action, thought=thought, ignored=tuple(_short(item.action) for item in rest))
    if cut:
        raise Malformed("the reply was cut off at the output limit; answer with a shorter block")
    raise Malformed(_nothing(answer.text, blocks, thinking=answer.thinking))


def _marked(blocks: Sequence[Fence], text: str) -> list[_Placed]:
    """Return what is marked as an action: Python blocks, and calls in tags or as objects."""
    tagged = calls_in(_blanked(text, blocks))
    python = [
        _Placed(start=block.start, action=CodeAction(code=block.inside))
        for block in blocks
        if block.kind in PYTHON and block.inside.strip() and not _within(block, tagged)
    ]
    return [*python, *(_called(call) for call in tagged)]


def _unmarked(blocks: Sequence[Fence]) -> list[_Placed]:
    """Return the blocks without a mark that are Python: beside marked ones they show something."""
    return [
        _Placed(start=block.start, action=CodeAction(code=block.inside))
        for block in blocks
        if block.kind == "" and block.inside.strip() and parses(block.inside)
    ]


def _bare(text: str) -> list[_Placed]:
    """Read a reply without a block: the lines at its end that are Python and call something of ours."""
    if tags := list(_TAGGED.finditer(text)):
        return [_Placed(start=tag.start(), action=CodeAction(code=f"{tag['code'].strip()}\n")) for tag in tags]
    text = text.removeprefix("<|python_tag|>")
    lines = text.splitlines(keepends=True)
    at = 0
    for line in lines[:_MOST_LINES]:
        code = text[at:]
        if line[:1].strip() and "(" in code and parses(code) and _acts(code):
            return [_Placed(start=at, action=CodeAction(code=f"{code.rstrip()}\n"))]
        at += len(line)
    return []


def _acts(code: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id in _OURS for node in ast.walk(ast.parse(code)))


def _blanked(text: str, blocks: Sequence[Fence]) -> str:
    """Return the text with the Python blocks blanked out: a dict in a program is no call."""
    for block in blocks:
        if block.kind in PYTHON or (block.kind == "" and parses(block.inside)):
            text = f"{text[: block.start]}{' ' * (block.stop - block.start)}{text[block.stop :]}"
    return text


def _within(block: Fence, calls: Sequence[WrittenCall]) -> bool:
    return any(call.start <= block.start < call.stop or block.start <= call.start < block.stop for call in calls)


def _called(call: WrittenCall) -> _Placed:
    return _Placed(start=call.start, action=CallAction(name=call.name, arguments=call.arguments))


def _short(action: Action) -> str:
    text = f"a call of {action.name}" if isinstance(action, CallAction) else f"`{action.code.strip().splitlines()[0]}`"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _nothing(text: str, blocks: Sequence[Fence], *, thinking: bool) -> str:
    if thinking:
        return "the reply ends inside its reasoning; answer with one block after it"
    if not text:
        return "the reply is empty; answer with one ```python block"
    if blocks and not blocks[0].inside.strip():
        return "the block is empty; write what is to be done"
    if blocks and blocks[0].kind in ("json", "json5", "jsonc", ""):
        fault = fault_of(blocks[0].inside)
        what = f" (the JSON cannot be read: {fault})" if fault else ""
        return f'the block is neither Python nor a call {{"call": "namespace.function", "arguments": {{...}}}}{what}'
    if blocks:
        return f"the block is marked {blocks[0].kind!r}; mark it as python, or as json for one function call"
    fault = fault_of(text) if text.startswith("{") else ""
    if fault:
        return f"the call cannot be read: {fault}"
    return (
        "the reply holds no block: answer with one ```python block (or one ```json call); "
        "where everything that was asked is done, that block is finish(answer)"
    )
