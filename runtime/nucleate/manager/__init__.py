"""The memory manager: what of text and tools a task is given."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate.manager.choice import NOTHING, Choice, ChosenEntry, ChosenTool
    from nucleate.manager.index import FoundTool, ToolIndex
    from nucleate.manager.manager import Manager, SelectionRules
else:
    _PLACES = {
        "Choice": "choice",
        "ChosenEntry": "choice",
        "ChosenTool": "choice",
        "FoundTool": "index",
        "Manager": "manager",
        "NOTHING": "choice",
        "SelectionRules": "manager",
        "ToolIndex": "index",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = ["NOTHING", "Choice", "ChosenEntry", "ChosenTool", "FoundTool", "Manager", "SelectionRules", "ToolIndex"]
