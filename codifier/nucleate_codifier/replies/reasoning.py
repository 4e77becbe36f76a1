"""What a reply answers, without what the model thought aloud before, and without the marks of its chat template."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from nucleate_codifier.replies.fences import fences

# Tags stand at the beginning of a line: inside a text that a reply quotes they are part of it.
_THOUGHTS = r"think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
_CLOSED = re.compile(rf"^[ \t]*<({_THOUGHTS})>(?P<thought>.*?)</\1>", re.DOTALL | re.IGNORECASE | re.MULTILINE)
_CLOSING = re.compile(
    rf"^[ \t]*</(?:{_THOUGHTS})>|</(?:{_THOUGHTS})>(?=[ \t]*(?:$|[{{`]))", re.IGNORECASE | re.MULTILINE
)
_OPENING = re.compile(rf"^[ \t]*<(?:{_THOUGHTS})>", re.IGNORECASE | re.MULTILINE)
# What chat templates put around a turn: of ChatML, Llama 3, Mistral, Gemma, DeepSeek and GPT-OSS.
_MARKS = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|end_of_text|endoftext|end|return)\|>|</s>|<end_of_turn>|<｜end▁of▁sentence｜>"
    r"|<\|im_start\|>(?:assistant)?|<\|start_header_id\|>assistant<\|end_header_id\|>"
)
# Harmony, the format of GPT-OSS: https://github.com/openai/harmony (docs/format.md).
_CHANNEL = re.compile(
    r"<\|channel\|>(?P<head>[^<]*)(?:<\|constrain\|>(?P<kind>[^<]*))?<\|message\|>"
    r"(?P<body>.*?)(?=<\|(?:end|call|return|start|channel)\|>|\Z)",
    re.DOTALL,
)
_TO = re.compile(r"\bto=(?P<name>[\w.-]+)")
_BARE_CHANNEL = re.compile(r"\Aanalysis.*?assistantfinal", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class SpokenAnswer:
    """The answer of a reply; `thinking` where the reply holds thoughts and nothing else."""

    text: str
    thinking: bool = False


def answer_of(text: str) -> SpokenAnswer:
    """Return what a reply answers."""
    answer = _MARKS.sub("", _CLOSED.sub("", _channels(text.replace("\r\n", "\n"))))
    ends = list(_CLOSING.finditer(answer))
    if ends:  # templates that open the thoughts in the prompt leave only their end in the reply
        answer = answer[ends[-1].end() :]
    opening = _OPENING.search(answer)
    if opening is not None:
        inside = answer[opening.end() :]
        # Thoughts that never end are no answer, unless they end in the one block that they came to.
        answer = answer[: opening.start()] + (inside if _ends_in_one_block(inside) else "")
    answer = answer.strip()
    return SpokenAnswer(text=answer, thinking=not answer and bool(text.strip()))


def _ends_in_one_block(text: str) -> bool:
    found = fences(text)
    return len(found) == 1 and found[0].closed and not text[found[0].stop :].strip()


def _channels(text: str) -> str:
    if "<|channel|>" not in text:
        return _BARE_CHANNEL.sub("", text)
    return "\n".join(part for found in _CHANNEL.finditer(text) if (part := _spoken(found)))


def _spoken(found: re.Match[str]) -> str:
    to, body = _TO.search(found["head"]), found["body"].strip()
    if to is not None and to["name"] in ("python", "functions.python"):
        return f"```python\n{body}\n```"
    if to is not None:
        return f'<tool_call>{{"name": {json.dumps(to["name"])}, "arguments": {body or "{}"}}}</tool_call>'
    return "" if found["head"].strip() == "analysis" else body
