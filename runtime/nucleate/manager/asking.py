"""One model call that picks entries and tools jointly (Metis §3.4): ids with reasons, checked, unknown ones dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from nucleate.manager.choice import ChosenEntry, ChosenTool
from nucleate_codifier.chat import ChatModel, Malformed, Message, ModelError, Reply, Role
from nucleate_codifier.model.prompting import Prompts
from nucleate_codifier.replies.reading import parse_reply
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


def ask(
    model: ChatModel,
    query: str,
    entries: Sequence[ChosenEntry],
    tools: Sequence[ChosenTool],
    *,
    writes: frozenset[str] = frozenset(),
) -> ModelPicks:
    """Return what a model picks; nothing of its own where it is out of order, or twice unreadable.

    `writes` are the functions of the environment that change something.
    """
    known = {item.entry.id for item in entries} | {item.version.name for item in tools}
    prompt = PROMPTS.render("choose", query=query, entries=_entries(entries, writes), tools=_tools(tools, writes))
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


def _entries(entries: Sequence[ChosenEntry], writes: frozenset[str]) -> str:
    """Return a line for each entry: what it says, what a plan of it changes, how well it fits."""
    lines = [
        f"* `{item.entry.id}` ({item.entry.kind.value}, fits {item.score:.2f}): {_short(item.entry.title)}"
        f"{_changes(item.entry.signature, writes)}"
        for item in entries
    ]
    return "\n".join(lines) or "(none)"


def _tools(tools: Sequence[ChosenTool], writes: frozenset[str]) -> str:
    """Return a line for each tool: how it is called, what it is for, what it changes, whom it served, how it fits."""
    lines = [
        f"* `{item.version.name}`: `{item.version.signature.text}` (fits {item.score:.2f}) "
        f"{_short(item.version.signature.doc)}{_changes(item.version.capabilities, writes)}{_served(item.version)}"
        for item in tools
    ]
    return "\n".join(lines) or "(none)"


def _changes(functions: Sequence[str], writes: frozenset[str]) -> str:
    changing = list(dict.fromkeys(name for name in functions if name in writes))
    return f" Changes by {', '.join(changing)}." if changing else ""


def _served(version: ToolVersion) -> str:
    """Return a task that the tool was made from."""
    seen = version.evidence.get("seen")
    queries = [run.get("query") for run in seen if isinstance(run, dict)] if isinstance(seen, list) else []
    return f" Served: {_short(str(queries[0]))}" if queries and queries[0] else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _FIRST else f"{line[: _FIRST - 1]}…"
