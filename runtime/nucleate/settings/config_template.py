"""A commented `nucleate.toml`: every setting with what it means and its default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args, get_origin

import tomlkit
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

HEAD = """\
# Nucleate. Environment variables (NUCLEATE_…) win over this file, options on the command line over both.
# `nucleate config show` says what counts and where it comes from.
"""


def template(fields: Mapping[str, FieldInfo], *, chosen: Mapping[str, str]) -> str:
    """Return the text of a configuration file in which all but the `chosen` settings are commented out."""
    return "\n".join([HEAD, *(_setting(name, field, chosen.get(name)) for name, field in fields.items())])


def _setting(name: str, field: FieldInfo, chosen: str | None) -> str:
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    listed = f" ({' | '.join(map(str, choices))})" if choices else ""
    meaning = f"# {field.description}{listed}."
    if chosen is not None:
        return f"{meaning}\n{name} = {_toml(chosen)}\n"
    example = "" if field.default in (None, PydanticUndefined) else _toml(field.default)
    return f"{meaning}\n# {name} = {example}".rstrip() + "\n"


def _toml(value: object) -> str:
    return tomlkit.item(value).as_string()
