"""YAML as JSON values: no tags, no dates, no aliases, within the limits of JSON."""

from __future__ import annotations

import re

import yaml

from nucleate_sandbox import Json, JsonError
from nucleate_sandbox.copies import copied
from nucleate_sandbox.json_values import MAX_BYTES


class _Loader(yaml.SafeLoader):
    """Leaves dates as texts, and refuses aliases: a few bytes of them stand for gigabytes."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias (*name); write out what it stands for")
        return super().compose_node(parent, index)


# The core schema of YAML 1.2 (https://yaml.org/spec/1.2.2/#103-core-schema): `no`, `off` and `12:30` are texts, as are
# dates, which JSON has not. YAML 1.1, which the library reads by itself, takes Norway's code for false.
_FLOAT = r"[-+]?(?:\.[0-9]{1,400}|[0-9]{1,400}(?:\.[0-9]{0,400})?)(?:[eE][-+]?[0-9]{1,4})?"
_Loader.yaml_implicit_resolvers = {}
for _tag, _expression, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]{1,4000}|0x[0-9a-fA-F]{1,4000}", list("-+0123456789")),
    (
        "float",
        r"[-+]?(?:\.[0-9]{1,400}|[0-9]{1,400}(?:\.[0-9]{0,400})?)(?:[eE][-+]?[0-9]{1,4})?",
        list("-+.0123456789"),
    ),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_expression})\\Z"), _first)


def _integer(_loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    return int(node.value, 16 if node.value.startswith("0x") else 10)  # not octal, whatever it begins with


_Loader.add_constructor("tag:yaml.org,2002:int", _integer)
_Loader.add_constructor("tag:yaml.org,2002:float", lambda _, node: float(node.value))


def yaml_value(text: str | bytes) -> Json:
    """Return the one document of a YAML text; raise JsonError for anything that JSON cannot say."""
    try:
        return copied(_with_text_keys(yaml.load(text, Loader=_Loader)), MAX_BYTES).value  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise JsonError(f"not YAML: {' '.join(str(error).split())}") from error


def _with_text_keys(value: Json) -> Json:
    """Return the value with every key as text: `200:` is a number to YAML, and an answer's code to OpenAPI."""
    if isinstance(value, list):
        return [_with_text_keys(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _with_text_keys(item) for key, item in value.items()}
    return value
