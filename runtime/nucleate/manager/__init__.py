"""The memory manager: what of text and tools a task is given."""

from nucleate.manager.choice import NOTHING, Choice, ChosenEntry, ChosenTool
from nucleate.manager.index import FoundTool, ToolIndex
from nucleate.manager.manager import Manager, SelectionRules

__all__ = ["NOTHING", "Choice", "ChosenEntry", "ChosenTool", "FoundTool", "Manager", "SelectionRules", "ToolIndex"]
