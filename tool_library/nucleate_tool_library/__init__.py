"""Tools, their versions, closure and life cycle."""

import importlib
import typing

if typing.TYPE_CHECKING:
    from nucleate_tool_library.errors import LibraryError
    from nucleate_tool_library.kept import Kept
    from nucleate_tool_library.library import ToolLibrary
    from nucleate_tool_library.library_reader import LibraryReader
    from nucleate_tool_library.life_cycle import DEPENDABLE, LOADABLE, Change, ChangeEvent, Dependent, Release
    from nucleate_tool_library.reading.diffs import Diff, Part
    from nucleate_tool_library.reading.lines import ToolLine
    from nucleate_tool_library.reading.similar import Pair
    from nucleate_tool_library.reading.statements import StatementRunner, moment
    from nucleate_tool_library.source.signature import read_signature
    from nucleate_tool_library.store import run_on
    from nucleate_tool_library.usage.usage import LibraryUse, ToolUse
    from nucleate_tool_library.values import Signature, State, Tool, ToolVersion
else:
    _PLACES = {
        "Change": "life_cycle",
        "ChangeEvent": "life_cycle",
        "DEPENDABLE": "life_cycle",
        "LibraryReader": "library_reader",
        "Dependent": "life_cycle",
        "Diff": "reading.diffs",
        "Kept": "kept",
        "LOADABLE": "life_cycle",
        "LibraryError": "errors",
        "LibraryUse": "usage.usage",
        "Pair": "reading.similar",
        "Part": "reading.diffs",
        "Release": "life_cycle",
        "StatementRunner": "reading.statements",
        "Signature": "values",
        "State": "values",
        "Tool": "values",
        "ToolLibrary": "library",
        "ToolLine": "reading.lines",
        "ToolUse": "usage.usage",
        "ToolVersion": "values",
        "moment": "reading.statements",
        "read_signature": "source.signature",
        "run_on": "store",
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
    "LibraryReader",
    "LibraryUse",
    "Pair",
    "Part",
    "Release",
    "Signature",
    "State",
    "StatementRunner",
    "Tool",
    "ToolLibrary",
    "ToolLine",
    "ToolUse",
    "ToolVersion",
    "moment",
    "read_signature",
    "run_on",
]
