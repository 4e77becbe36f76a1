"""YAML as JSON values: no tags, no dates, no aliases, within the limits of JSON."""

from __future__ import annotations

import yaml

from nucleate_sandbox import Json, JsonError, canonical, parse

TIMESTAMP = "tag:yaml.org,2002:timestamp"


class _Loader(yaml.SafeLoader):
    """Leaves dates as texts, and refuses aliases: a few bytes of them stand for gigabytes."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias (*name); write out what it stands for")
        return super().compose_node(parent, index)


# YAML takes 2020-01-01 for a date, which JSON has not.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag != TIMESTAMP]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def yaml_value(text: str | bytes) -> Json:
    """Return the one document of a YAML text; raise JsonError for anything that JSON cannot say."""
    try:
        return parse(canonical(_with_text_keys(yaml.load(text, Loader=_Loader))))  # noqa: S506 - it is a SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise JsonError(f"not YAML: {' '.join(str(error).split())}") from error


def _with_text_keys(value: Json) -> Json:
    """Return the value with every key as text: `200:` is a number to YAML, and an answer's code to OpenAPI."""
    if isinstance(value, list):
        return [_with_text_keys(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _with_text_keys(item) for key, item in value.items()}
    return value
