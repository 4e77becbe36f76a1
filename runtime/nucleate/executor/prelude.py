"""The Python that puts our names into a session: run before every block, so that no block can take them away."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from nucleate.executor.scope import FINISH, OWN, RECALL
from nucleate_tool_library import Signature

# `...` is no JSON value, so it can stand for an argument that was not given.
_OPENING = f"""\
try:
    _{OWN}
except NameError:
    _{OWN} = env
env = _{OWN}
def {FINISH}(answer=None):
    return _{OWN}.{OWN}.{FINISH}(answer=answer)
def {RECALL}(hint):
    return _{OWN}.{OWN}.{RECALL}(hint=hint)
"""
_TOOL = """\
def {name}({parameters}):
    _given = {{{pairs}}}
    return _{own}.{own}.{name}(**{{key: value for key, value in _given.items() if value is not ...}})
"""


def prelude(tools: Iterable[Signature]) -> str:
    """Return code that defines `finish`, `recall` and each tool as a function with its own parameters."""
    return _OPENING + "".join(_tool(signature) for signature in tools)


def _tool(signature: Signature) -> str:
    properties, needed = signature.parameters.get("properties"), signature.parameters.get("required")
    names = [name for name in properties if _usable(name)] if isinstance(properties, dict) else []
    required = set(needed) if isinstance(needed, list) else set()
    ordered = sorted(names, key=lambda name: name not in required)
    parameters = ", ".join(name if name in required else f"{name}=..." for name in ordered)
    return _TOOL.format(
        name=signature.name, parameters=parameters, pairs=", ".join(f"{name!r}: {name}" for name in names), own=OWN
    )


def _usable(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)
