"""YAML 1.2 as JSON values: no tags, no dates, aliases written out, within the limits of JSON."""

from __future__ import annotations

import re

import yaml

from nucleate_sandbox import Json, JsonError
from nucleate_sandbox.copies import MAX_PARTS, copied
from nucleate_sandbox.json_values import MAX_BYTES

_READER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is ten times faster


class _Loader(_READER):  # type: ignore[valid-type,misc]
    """Reads the core schema of YAML 1.2."""


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
    """Return the value with every key as text: `200:` is a number to YAML, and an answer's code to OpenAPI.

    What an alias stands for is written out; a few bytes of them stand for gigabytes, so the parts are counted.
    """
    left = [MAX_PARTS]

    def told(part: Json) -> Json:
        left[0] -= 1
        if left[0] < 0:
            raise ValueError(f"written out it has more than {MAX_PARTS} parts")
        if isinstance(part, list):
            return [told(item) for item in part]
        return {str(key): told(item) for key, item in part.items()} if isinstance(part, dict) else part

    return told(value)
