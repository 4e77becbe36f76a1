"""`nucleate config show` and `nucleate init`: what counts, where it comes from, and a file to write it into."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.table import Table

from nucleate.cli.choices import Choices
from nucleate.cli.screen import Screen
from nucleate.errors import InputInvalid
from nucleate.settings.config_files import NAMES
from nucleate.settings.config_template import template
from nucleate.settings.defaults import DEFAULT_DATABASE
from nucleate.settings.settings import Settings, sources
from nucleate.shown.visible import json_text


def show(context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List every setting with its value and its source: default, file, variable or option."""
    choices = cast("Choices", context.obj)
    values = choices.settings().model_dump(mode="json")
    places = sources(choices.given)
    if as_json:
        rows = [{"setting": name, "value": value, "source": places[name]} for name, value in values.items()]
        sys.stdout.write(json_text(rows))
        return
    table = Table(title="Settings", title_justify="left")
    for column in ("setting", "value", "source"):
        table.add_column(column, overflow="fold")
    for name, value in values.items():
        changed = places[name] != "default"
        table.add_row(name, "–" if value is None else str(value), places[name], style="bold" if changed else None)
    Screen().print(table)


def init(force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False) -> None:
    """Write a commented nucleate.toml into this folder."""
    path = Path(NAMES[0])
    text = template(Settings.model_fields, chosen={"database": str(DEFAULT_DATABASE)})
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InputInvalid(f"{str(path)!r} is there already; edit it, or write it anew with --force") from error
    except OSError as error:
        raise InputInvalid(f"{str(path)!r} cannot be written ({error.strerror}); choose another folder") from error
    Screen().print(f"{path} is written; `nucleate config show` says what counts", highlight=False)
