"""Tools, their versions, closure and life cycle."""

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
