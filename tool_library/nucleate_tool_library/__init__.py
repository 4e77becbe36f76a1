"""Tools, their versions, closure and life cycle."""

import importlib
import typing

if typing.TYPE_CHECKING:
    from nucleate_tool_library.changes import Change, ChangeEvent, Dependent
    from nucleate_tool_library.diffs import Diff, Part
    from nucleate_tool_library.errors import LibraryError
    from nucleate_tool_library.kept import Kept
    from nucleate_tool_library.library import ToolLibrary
    from nucleate_tool_library.life_cycle import DEPENDABLE, LOADABLE, Release
    from nucleate_tool_library.reading import ToolLine
    from nucleate_tool_library.similar import Pair
    from nucleate_tool_library.source.signature import read_signature
    from nucleate_tool_library.usage.usage import LibraryUse, ToolUse
    from nucleate_tool_library.values import Signature, State, Tool, ToolVersion
else:
    _PLACES = {
        "Change": "changes",
        "ChangeEvent": "changes",
        "DEPENDABLE": "life_cycle",
        "Dependent": "changes",
        "Diff": "diffs",
        "Kept": "kept",
        "LOADABLE": "life_cycle",
        "LibraryError": "errors",
        "LibraryUse": "usage.usage",
        "Pair": "similar",
        "Part": "diffs",
        "Release": "life_cycle",
        "Signature": "values",
        "State": "values",
        "Tool": "values",
        "ToolLibrary": "library",
        "ToolLine": "reading",
        "ToolUse": "usage.usage",
        "ToolVersion": "values",
        "read_signature": "source.signature",
    }

    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


__all__ = [
    "DEPENDABLE",
    "LOADABLE",
    "Change",
    "ChangeEvent",
    "Dependent",
    "Diff",
    "Kept",
    "LibraryError",
    "LibraryUse",
    "Pair",
    "Part",
    "Release",
    "Signature",
    "State",
    "Tool",
    "ToolLibrary",
    "ToolLine",
    "ToolUse",
    "ToolVersion",
    "read_signature",
]
