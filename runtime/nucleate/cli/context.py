"""What the commands share: settings from options, a runtime, an environment to call tools in."""

from __future__ import annotations

from typing import cast

import typer

from nucleate import events
from nucleate.cli import stores
from nucleate.cli.choices import Choices
from nucleate.cli.confirming import AtTerminal
from nucleate.database import looking
from nucleate.runtime import Runtime


def open_runtime(
    context: typer.Context,
    *,
    must_exist: bool = False,
    looks: bool = False,
    inline: bool = False,
    listen: events.Listener = events.ignore,
) -> Runtime:
    """Open the runtime that the options describe; a command that only looks makes and changes none.

    A command that has nothing to do but to learn says `inline`, and shows how it goes.
    """
    settings = cast("Choices", context.obj).settings(on_outage="raise")
    if inline and settings.worker == "thread":
        settings = settings.model_copy(update={"worker": "inline"})
    if must_exist or looks:
        stores.must_exist(settings.database)
    if looks:
        context.with_resource(looking())
    return Runtime(settings=settings, approve=AtTerminal(), listen=listen)
