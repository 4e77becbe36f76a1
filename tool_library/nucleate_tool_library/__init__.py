"""Tools, their versions, closure and life cycle."""

from nucleate_tool_library.values import Signature, State, Tool, ToolVersion

__all__ = ["Signature", "State", "Tool", "ToolVersion"]
