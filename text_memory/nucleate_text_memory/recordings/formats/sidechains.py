"""Which sub-agent a line of Claude Code belongs to, also where several work at once and no line names its agent."""

from __future__ import annotations

from typing import Any


class Sidechains:
    """Tells sub-agents apart: by their id, by the call that sent them, by the line before, or by whose turn it is.

    Where every line names the one before it in the file, whichever agent wrote that, the parent tells nothing: then the
    agent that has waited longest speaks next.
    """

    def __init__(self) -> None:
        self._agent_of: dict[str, str] = {}
        self._calls: dict[str, str] = {}
        self._replies: dict[str, str] = {}
        self._waiting: list[str] = []
        self._chained = False
        self._count = 0

    def agent(self, line: dict[str, Any]) -> str:
        """Return the name of the sub-agent that wrote a line; empty for the main one."""
        named = line.get("agentId") or line.get("parent_tool_use_id")
        if isinstance(named, str) and named:
            return named
        if not line.get("isSidechain"):
            return ""
        agent = self._found(line)
        self._remember(line, agent)
        return agent

    def _found(self, line: dict[str, Any]) -> str:
        blocks = _blocks(line)
        answers = [block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"]
        parent = self._agent_of.get(str(line.get("parentUuid")))
        if line.get("type") == "user" and not answers:
            self._chained = self._chained or parent is not None
            self._count += 1
            return f"sub-agent-{self._count}"
        known = self._calls.get(str(answers[0])) if answers else self._replies.get(_reply(line))
        if known is not None:
            return known
        if self._chained and self._waiting:
            return self._waiting[0]
        return parent or f"sub-agent-{max(self._count, 1)}"

    def _remember(self, line: dict[str, Any], agent: str) -> None:
        self._agent_of[str(line.get("uuid"))] = agent
        if line.get("type") == "user":
            self._waiting = [*(item for item in self._waiting if item != agent), agent]
            return
        self._replies[_reply(line)] = agent
        self._waiting = [item for item in self._waiting if item != agent]
        self._calls |= {str(block.get("id")): agent for block in _blocks(line) if block.get("type") == "tool_use"}


def _blocks(line: dict[str, Any]) -> list[dict[str, Any]]:
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _reply(line: dict[str, Any]) -> str:
    message = line.get("message")
    id_ = message.get("id") if isinstance(message, dict) else None
    return str(id_ or line.get("uuid"))
