"""The memory manager: what of text and tools a task is given."""

from nucleate.manager.choice import NOTHING, Choice, ChosenEntry, ChosenTool
from nucleate.manager.index import Found, ToolIndex
from nucleate.manager.manager import Manager, Rules

__all__ = ["NOTHING", "Choice", "ChosenEntry", "ChosenTool", "Found", "Manager", "Rules", "ToolIndex"]
