"""Replaces names in a module's tree; everything else in its text stays as it is."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst


def renamed(source: str, names: Mapping[str, str]) -> str:
    """Return a module in which names have become others."""
    return cst.parse_module(source).visit(Renaming(names)).code


class Renaming(cst.CSTTransformer):
    """Replaces names; an attribute and the keyword of an argument are not names of anything here."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self._names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802
        return updated_node.with_changes(value=self._names.get(original_node.value, original_node.value))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:  # noqa: N802
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        return updated_node.with_changes(keyword=original_node.keyword)
