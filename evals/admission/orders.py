"""Orders to a reader, and honest descriptions: which does the safety gate hold for which? By language.

python -m evals.admission.orders [--json FILE] [--verbose] [--offline]
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from evals.admission.honest_texts import docstrings, python_tools, script_tools
from evals.admission.kinds import wilson
from evals.bfcl.source import Unreachable
from evals.report import Report, write_json
from nucleate_codifier.admission.speech.instructions import order_in
from nucleate_codifier.admission.speech.orders import order_to_reader
from nucleate_sandbox import Json

TEXTS = Path(__file__).parent / "speech"


@dataclass(frozen=True, kw_only=True)
class Group:
    """Texts of one source: all orders, or all honest; and those of them that are refused."""

    name: str
    orders: bool
    counted: bool
    texts: Sequence[str]

    @property
    def refused(self) -> list[str]:
        """Return the texts in which the gate finds an order."""
        return [text for text in self.texts if words_against(text)]


def words_against(text: str) -> str | None:
    """Return the words by which a docstring orders its reader about, also hidden ones; None where it describes."""
    hidden = order_in(text)
    return hidden.words if hidden is not None else order_to_reader(text, summary=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Count, print and write."""
    parser = argparse.ArgumentParser(prog="python -m evals.admission.orders")
    parser.add_argument("--json", type=Path)
    parser.add_argument(
        "--verbose", action="store_true", help="print every wrong answer of the halves not only counted"
    )
    parser.add_argument("--offline", action="store_true", help="leave out what has to be fetched")
    options = parser.parse_args(arguments)
    groups = [*_orders(), *_honest(), *([] if options.offline else _servers())]
    console = Console(width=120)
    console.print(_table(groups))
    for group in groups:
        if options.verbose and not group.counted:
            wrong = [text for text in group.texts if bool(words_against(text)) is not group.orders]
            console.print(*(f"{group.name}: {words_against(text) or text}" for text in wrong), sep="\n", markup=False)
    if options.json is not None:
        write_json(Report(name="orders", figures=_figures(groups), rows=[]), options.json)
    return 0


def _orders() -> Iterator[Group]:
    for language, halves in _read("orders.toml").items():
        for half, held in halves.items():
            yield Group(name=f"orders, {language}", orders=True, counted=half == "counted", texts=held["texts"])


def _honest() -> Iterator[Group]:
    for language, held in _read("honest.toml").items():
        yield Group(name=f"honest, {language}", orders=False, counted=False, texts=held["texts"])
    installed = _read("sources.toml")["installed"]
    for half in ("tuned", "counted"):
        texts = [text for package in installed[half] for text in docstrings(package, installed["each"])]
        yield Group(name="honest, packages", orders=False, counted=half == "counted", texts=texts)


def _servers() -> Iterator[Group]:
    servers = _read("sources.toml")["servers"]
    for kind, read in (("pypi", python_tools), ("npm", script_tools)):
        texts = [text for package in servers[kind] for text in read(package)[: servers["each"]]]
        yield Group(name=f"honest, MCP tools of {kind}", orders=False, counted=True, texts=texts)


def _read(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((TEXTS / name).read_text("utf-8"))


def _table(groups: Sequence[Group]) -> Table:
    table = Table(title="Orders to a reader", title_justify="left")
    for name in ("texts", "half", "number", "refused", "right (95 %)"):
        table.add_column(name)
    for group in groups:
        right = len(group.refused) if group.orders else len(group.texts) - len(group.refused)
        low, high = wilson(right, len(group.texts))
        half = "only counted" if group.counted else "looked at"
        table.add_row(group.name, half, str(len(group.texts)), str(len(group.refused)), f"{low:.0%}–{high:.0%}")
    return table


def _figures(groups: Sequence[Group]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for group in groups:
        key = group.name.replace(", ", "_").replace(" ", "_") + ("_counted" if group.counted else "")
        found |= {key: len(group.texts), f"{key}_refused": len(group.refused)}
    return found


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unreachable as error:
        sys.exit(str(error))
