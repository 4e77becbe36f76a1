"""What the policy gate allows by name: builtins, and the public members of the modules that may be imported."""

from __future__ import annotations

import builtins
import importlib
import sys
from functools import cache
from types import ModuleType

_FUNCTIONS = """
    abs all any ascii bin callable chr divmod enumerate filter format hex isinstance issubclass iter len map max min
    next oct ord pow print range repr reversed round slice sorted sum type zip
"""
_TYPES = "bool bytearray bytes complex dict float frozenset int list object set str tuple"
_CONSTANTS = frozenset({"None", "True", "False", "Ellipsis", "NotImplemented"})
# A group could carry what `except*` would then take apart; nothing else here leads out of the language.
_ERRORS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)
) - {"ExceptionGroup"}
BUILTINS = frozenset(_FUNCTIONS.split()) | frozenset(_TYPES.split()) | _CONSTANTS | _ERRORS

# Members that run text, walk attributes by text, or blind the type checker.
_DENIED: dict[str, frozenset[str]] = {
    "string": frozenset({"Formatter"}),
    "dataclasses": frozenset({"make_dataclass"}),
    "enum": frozenset({"EnumMeta", "EnumType"}),  # called, they make a class of any dictionary
    "functools": frozenset({"update_wrapper", "wraps"}),  # they copy attributes that are named by text
    "typing": frozenset(
        {
            "ForwardRef",
            "cast",
            "evaluate_forward_ref",
            "get_type_hints",
            "no_type_check",
            "no_type_check_decorator",
            "runtime_checkable",
        }
    ),
}
_SUBMODULES = frozenset({"collections.abc"})
# What the level `pure` leaves: modules that describe types and data.
DESCRIBING = frozenset({"collections.abc", "dataclasses", "enum", "typing"})

# Words that environments use for their fields: a parameter or local may be called so and hide the builtin.
_FIELD_NAMES = """
    all any bin bytes complex dir filter float format hash help id input int iter len license list map max min next
    object open ord pow property range round set slice sorted str sum type vars zip copyright credits
"""
FIELD_NAMES = frozenset(_FIELD_NAMES.split())


def may_import(module: str, allowed: frozenset[str]) -> bool:
    """Return whether a module, by its full dotted name, is on the list."""
    top = module.partition(".")[0]
    return module in allowed or (top in allowed and (module in _SUBMODULES or top not in sys.stdlib_module_names))


def is_member(module: str, name: str) -> bool:
    """Return whether a module offers a public name that a tool may use; unknown packages offer any."""
    if name.startswith("_") or name in _DENIED.get(module, frozenset()):
        return False
    public = _public(module)
    return public is None or name in public


@cache
def _public(module: str) -> frozenset[str] | None:
    """Return a standard module's public names without the modules that it imported for itself."""
    if module.partition(".")[0] not in sys.stdlib_module_names:
        return None
    loaded = importlib.import_module(module)
    names = getattr(loaded, "__all__", None) or [name for name in vars(loaded) if not name.startswith("_")]
    found = {name for name in names if not isinstance(getattr(loaded, name, None), ModuleType)}
    return frozenset(found | {item.rpartition(".")[2] for item in _SUBMODULES if item.startswith(f"{module}.")})
