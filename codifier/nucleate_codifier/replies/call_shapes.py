"""Function calls as the families of models write them into text: objects, lists, tags and tokens."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from nucleate_codifier.replies.loose_json import NoValue, found_values, loads
from nucleate_sandbox import Json, JsonObject

_NAMES = ("call", "name", "tool", "tool_name", "function", "function_name", "recipient_name", "action")
_ARGUMENTS = ("arguments", "args", "parameters", "params", "input", "kwargs", "action_input", "tool_input")
_NESTED = ("function", "function_call", "functionCall", "tool_call", "call")
_LISTS = ("tool_calls", "tool_uses", "function_calls", "calls", "parts", "content")
_NAME = re.compile(r"[A-Za-z_][\w.:/-]*\Z")
# Prefixes under which providers show functions to models, none of them part of a name.
_PREFIXES = ("functions.", "default_api.", "env.", "tools.")

# Each part is taken whole or not at all (possessive), so that no text takes longer than in proportion to its length.
_TAGS = re.compile(
    # Anthropic; a prefix of its own may stand before each tag.
    r"<(?:\w{1,20}+:)?+invoke name=[\"'](?P<invoke>[^\"'<]{1,200}+)[\"']>"
    r"(?P<invoked>(?:(?!</?(?:\w{1,20}+:)?+invoke\b).)*+)</(?:\w{1,20}+:)?+invoke>"
    # Llama and Qwen's coder models.
    r"|<function=(?P<function>[^>\s]{1,200}+)>(?P<given>.*?)(?:</function>|\Z)"
    # DeepSeek, with and without the word `function` and a fence.
    r"|<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?+(?P<deep>[^\s<]{1,200}+)(?:<｜tool▁sep｜>)?+"
    r"(?P<sought>(?:(?!<｜tool▁call▁(?:begin|end)｜>).)*+)<｜tool▁call▁end｜>"
    # Mistral, Qwen 2.
    r"|\[TOOL_CALLS\]\s{0,9}+(?P<mistral>[A-Za-z_][\w.-]{0,200}+)\s{0,9}+(?:\[CALL_ID\][^\[]{0,200}+)?+\[ARGS\]"
    r"(?P<args>[^\n]*+)"
    r"|✿FUNCTION✿:\s{0,9}+(?P<qwen>[^\s✿]{1,200}+)\s{0,9}+✿ARGS✿:(?P<qargs>[^✿]*+)",
    re.DOTALL,
)
_GROUPS = (("invoke", "invoked"), ("function", "given"), ("deep", "sought"), ("mistral", "args"), ("qwen", "qargs"))
_PARAMETER = re.compile(
    r"<(?:\w{1,20}+:)?+parameter(?: name=[\"']|=)(?P<name>[^\"'><]{1,200}+)[\"']?+[^><]{0,200}+>"
    r"(?P<value>(?:(?!</?(?:\w{1,20}+:)?+parameter\b).)*+)</(?:\w{1,20}+:)?+parameter>",
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class WrittenCall:
    """A call as it was written, and where."""

    name: str
    arguments: JsonObject
    start: int = 0
    stop: int = 0


def calls_in(text: str) -> list[WrittenCall]:
    """Return the calls of a text, in order: in tags and tokens, as objects, as a list of Python calls."""
    tagged = [*_tagged(text)]
    inside = [(call.start, call.stop) for call in tagged]
    objects = [
        WrittenCall(name=call.name, arguments=call.arguments, start=found.start, stop=found.stop)
        for found in found_values(text)
        if not any(start <= found.start < stop for start, stop in inside)
        for call in calls_of(found.value)
    ]
    return sorted([*tagged, *objects], key=lambda call: call.start) or _pythonic(text)


def calls_of(value: Json) -> list[WrittenCall]:
    """Return the calls that a value is: one, several in a list, or none."""
    if isinstance(value, list):
        return [call for item in value for call in calls_of(item)]
    if not isinstance(value, dict):
        return []
    for key in _LISTS:
        if isinstance(value.get(key), list):
            return calls_of(value[key])
    for key in _NESTED:
        if isinstance(value.get(key), dict):
            return calls_of(value[key])
    return [*_call(value)]


def plain_name(name: str) -> str:
    """Return a name without the prefixes that only some providers use."""
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


def _call(value: JsonObject) -> Iterator[WrittenCall]:
    name_key = next((key for key in _NAMES if isinstance(value.get(key), str)), "")
    name = value.get(name_key)
    keys = [key for key in _ARGUMENTS if key in value]
    if not isinstance(name, str) or not _NAME.match(name) or not (keys or name_key == "call"):
        return
    arguments = _object_of(value[keys[0]]) if keys else {}
    if arguments is not None:
        yield WrittenCall(name=plain_name(name), arguments=arguments)


def _object_of(value: Json) -> JsonObject | None:
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        try:
            value = loads(value)
        except NoValue:
            return None
    return value if isinstance(value, dict) else None


def _tagged(text: str) -> Iterator[WrittenCall]:
    for tag in _TAGS.finditer(text):
        name, inside = next((tag[name], tag[body]) for name, body in _GROUPS if tag[name] is not None)
        arguments = _parameters(inside)
        if arguments is not None and _NAME.match(name):
            yield WrittenCall(name=plain_name(name), arguments=arguments, start=tag.start(), stop=tag.end())


def _parameters(inside: str) -> JsonObject | None:
    named = list(_PARAMETER.finditer(inside))
    if named:
        return {item["name"]: _scalar(item["value"]) for item in named}
    first = next(found_values(inside), None)
    if first is not None:
        return first.value if isinstance(first.value, dict) else None
    return {} if not inside.strip() else None


def _scalar(text: str) -> Json:
    """Return what stands in a tag: a value where it is JSON, else the text; a leading zero makes a number a text."""
    bare = text.strip("\n") if "\n" in text else text
    try:
        return loads(bare) if bare.strip()[:1] not in ("'", "“", "`") else bare
    except NoValue:
        return bare


def _pythonic(text: str) -> list[WrittenCall]:
    """Read a reply that is a list of Python calls with plain keyword arguments, as Llama 3.2 and later write them."""
    bare = text.strip()
    if not (bare.startswith("[") and bare.endswith("]")) or len(bare) > 20_000:
        return []
    try:
        tree = ast.parse(bare, mode="eval").body
        calls = tree.elts if isinstance(tree, ast.List) else []
        return [
            WrittenCall(
                name=plain_name(ast.unparse(call.func)),
                arguments={str(item.arg): ast.literal_eval(item.value) for item in call.keywords},
            )
            for call in calls
            if isinstance(call, ast.Call) and not call.args and all(item.arg for item in call.keywords)
        ]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
