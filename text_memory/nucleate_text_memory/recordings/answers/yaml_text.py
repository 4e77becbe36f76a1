"""YAML in texts of strangers as plain values: the scalars of YAML 1.2, no tags, no aliases, bounded depth."""

from __future__ import annotations

import re

import yaml

from nucleate_text_memory.values import Json

_DEPTH = 60
_INTEGER = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?")
_CONSTANTS = {"": None, "~": None, "null": None, "true": True, "True": True, "false": False, "False": False}
_PREFIX = "tag:yaml.org,2002:"
_TAGS = frozenset(f"{_PREFIX}{name}" for name in ("str", "int", "float", "bool", "null", "timestamp", "map", "seq"))
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class NotStructured(Exception):
    """A text does not write a value in the form that it was read in."""


def yaml_value(text: str) -> Json:
    """Return the list or object that a YAML text is; NotStructured for every other text.

    `no` and `2020-01-01` stay texts, and so does a number that begins with 0: it is somebody's id.
    """
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise NotStructured from error
    if not isinstance(node, yaml.CollectionNode):
        raise NotStructured
    return _value(node, _DEPTH, set())


def scalar_value(text: str) -> Json:
    """Return the number, truth value or null that an unquoted text is, or the text."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def _value(node: yaml.Node, depth: int, seen: set[int]) -> Json:
    if depth == 0 or id(node) in seen or node.tag not in _TAGS:
        raise NotStructured
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, depth - 1, seen) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        found = {_key(key): _value(item, depth - 1, seen) for key, item in node.value}
        if len(found) != len(node.value):
            raise NotStructured
        return found
    if not isinstance(node, yaml.ScalarNode):
        raise NotStructured
    return str(node.value) if node.style else scalar_value(node.value)


def _key(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode) or node.tag not in _TAGS:
        raise NotStructured
    return str(node.value)
