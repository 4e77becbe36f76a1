"""The names that agents give their tools, as names of the environment's functions."""

from __future__ import annotations

from collections.abc import Iterable

from nucleate_text_memory.recordings.names import function_name, identifier


def name_in(name: str, functions: Iterable[str], scope: str) -> str:
    """Return the function that an agent's tool is: the same name, the only one with this last part, or a new name."""
    known = tuple(functions)
    if name in known:
        return name
    plain = identifier(name)
    dotted = identifier(name.replace("__", "."))
    same = [
        item for item in known if plain in {item.rpartition(".")[2], identifier(item)} or identifier(item) == dotted
    ]
    return same[0] if len(same) == 1 else function_name(name, scope)
