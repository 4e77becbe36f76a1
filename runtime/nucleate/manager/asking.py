"""One model call that picks entries and tools jointly (Metis §3.4): ids with reasons, checked, unknown ones dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from nucleate_codifier.chat import ChatModel, Malformed, Message, ModelError, Reply, Role, parse_reply
from nucleate_codifier.model.prompting import Prompts
from nucleate_text_memory import Entry
from nucleate_tool_library import ToolVersion

PROMPTS = Prompts(Path(__file__).parent / "prompts")
_FIRST = 160  # characters of a body or docstring that a chooser sees


class Picked(BaseModel):
    """One id and the reason for it."""

    model_config = ConfigDict(extra="forbid")

    id: str
    reason: str = ""


class Picks(BaseModel):
    """What a model picked."""

    model_config = ConfigDict(extra="forbid")

    entries: list[Picked] = []
    tools: list[Picked] = []


@dataclass(frozen=True, kw_only=True)
class ModelPicks:
    """The reasons by id, for the known ids alone; `picks` is None where the model gave none, and scores decide."""

    picks: Mapping[str, str] | None
    replies: tuple[Reply, ...] = ()


def ask(model: ChatModel, query: str, entries: Sequence[Entry], tools: Sequence[ToolVersion]) -> ModelPicks:
    """Return what a model picks; nothing of its own where it is out of order, or twice unreadable."""
    known = {entry.id for entry in entries} | {tool.name for tool in tools}
    prompt = PROMPTS.render("choose", query=query, entries=_entries(entries), tools=_tools(tools))
    messages, replies = [Message(role=Role.USER, content=prompt)], list[Reply]()
    for _ in range(2):
        try:
            replies.append(model.complete(messages, schema=Picks))
            picks = parse_reply(replies[-1], Picks)
        except ModelError:
            break
        except Malformed as fault:
            said = Message(role=Role.ASSISTANT, content=replies[-1].text or "(nothing)")
            messages += [said, Message(role=Role.USER, content=f"That cannot be read: {fault}\nReply again.")]
            continue
        found = {item.id: item.reason for item in (*picks.entries, *picks.tools) if item.id in known}
        return ModelPicks(picks=found, replies=tuple(replies))
    return ModelPicks(picks=None, replies=tuple(replies))


def _entries(entries: Sequence[Entry]) -> str:
    return "\n".join(f"* `{item.id}` ({item.kind.value}): {_short(item.title)}" for item in entries) or "(none)"


def _tools(tools: Sequence[ToolVersion]) -> str:
    lines = [f"* `{item.name}`: `{item.signature.text}` {_short(item.signature.doc)}" for item in tools]
    return "\n".join(lines) or "(none)"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _FIRST else f"{line[: _FIRST - 1]}…"
