"""Commands that are imported when they are called: the list of them, and of a group's, is there at once.

Help is plain text: what would draw it in colours takes longer to import than everything else that help needs.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command


@dataclass(frozen=True)
class CommandPlace:
    """Where the function of a command stands (`module:name`), and what it is for."""

    target: str
    help: str

    def command(self, name: str) -> DeferredCommand:
        """Return the command, not imported yet."""
        return DeferredCommand(name, self)

    def load(self, name: str) -> Any:
        """Import the command and return it as Typer runs it."""
        module, _, attribute = self.target.partition(":")
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        alone.command(name)(getattr(importlib.import_module(module), attribute))
        return lightened(get_command(alone))


@dataclass(frozen=True)
class CommandTable:
    """A group of commands, and what they are for together."""

    help: str
    places: CommandPlaces

    def command(self, name: str) -> DeferredGroup:
        """Return the group, nothing of it imported yet."""
        group = DeferredGroup(name=name, help=self.help, no_args_is_help=True, rich_markup_mode=None)
        group.places = self.places
        return group


CommandPlaces: TypeAlias = Mapping[str, CommandPlace | CommandTable]


@dataclass(frozen=True)
class _Coercion:
    """Takes plain words, switches and our own defaults as they are; asks Typer of anything else."""

    plain: bool
    typers: Callable[[], Any]

    def coerce(self, value: Any, *, param: Any, ctx: Any) -> Any:
        """Return the value of a parameter."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        # What is neither a word nor several was written by us, as a default of the parameter's type.
        if self.plain if isinstance(value, str) else not isinstance(value, list | tuple):
            return value
        return self.typers().coerce(value, param=param, ctx=ctx)


def lightened(command: Any) -> Any:
    """Return a command whose plain parameters are read without pydantic, which Typer imports for every value.

    Importing it takes a third of the time and of the memory of a command that looks.
    """
    given = command.get_params
    vars(command)["get_params"] = lambda context: [_plainly(parameter) for parameter in given(context)]
    return command


def _plainly(parameter: Any) -> Any:
    typers = getattr(parameter, "get_runtime_param", None)
    if typers is not None and "get_runtime_param" not in vars(parameter):  # an older Typer does not ask pydantic
        coercion = _Coercion(parameter.type_descriptor.annotation is str, typers)
        vars(parameter)["get_runtime_param"] = lambda: coercion
    return parameter


class DeferredCommand(TyperCommand):
    """Stands for a command in the list, and becomes it when it is called."""

    def __init__(self, name: str, place: CommandPlace) -> None:
        super().__init__(name, help=place.help, rich_markup_mode=None)
        self._place = place

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002 - the list wraps it
        """Return what the command is for, whole."""
        return self._place.help

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Import the command and begin it."""
        return self._place.load(self.name or "").make_context(info_name, args, parent=parent, **extra)


class DeferredGroup(TyperGroup):
    """A group whose commands are given as places."""

    places: CommandPlaces = MappingProxyType({})

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the group's own parameters, read without what Typer would import for them."""
        return [_plainly(parameter) for parameter in super().get_params(ctx)]

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of the commands, in their order."""
        return list(self.places)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return the command of a name, not imported yet."""
        place = self.places.get(cmd_name)
        return None if place is None else place.command(cmd_name)
