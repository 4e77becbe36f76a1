"""Commands that are imported when they are called: the list of them is there at once."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group


@dataclass(frozen=True)
class CommandPlace:
    """Where a command stands (`module:attribute`, a function or a Typer application), and what it is for."""

    target: str
    help: str

    def load(self, name: str) -> Any:
        """Import the command and return it as Typer runs it."""
        module, _, attribute = self.target.partition(":")
        found = getattr(importlib.import_module(module), attribute)
        if isinstance(found, typer.Typer):
            return get_group(found)
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name)(found)
        return get_command(alone)


class DeferredCommand(TyperCommand):
    """Stands for a command in the list, and becomes it when it is called."""

    def __init__(self, name: str, place: CommandPlace) -> None:
        super().__init__(name, help=place.help)
        self._place = place

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Import the command and begin it."""
        return self._place.load(self.name or "").make_context(info_name, args, parent=parent, **extra)


class DeferredGroup(TyperGroup):
    """A group whose commands are given as places; a subclass names them."""

    places: ClassVar[Mapping[str, CommandPlace]] = {}

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in their order."""
        return list(self.places)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return the command of a name, not imported yet."""
        place = self.places.get(cmd_name)
        return None if place is None else DeferredCommand(cmd_name, place)
