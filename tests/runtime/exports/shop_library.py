"""A library with two tools, one of which calls the other, made by importing a small repository."""

from __future__ import annotations

import json
from pathlib import Path

from nucleate import Runtime, Settings
from nucleate.importing import ImportReport, import_tools
from nucleate_sandbox import Sandbox
from tests.codifier.repository.files import FUNCTIONS, repository
from tests.doubles import InProcessSandbox

CHEAPEST, BUY = "lib/shop/cheapest/cheapest.py", "lib/shop/buy_cheapest/buy_cheapest.py"


def open_shop_runtime(folder: Path, sandbox: Sandbox | None = None) -> Runtime:
    """Return a runtime that learns nothing by itself."""
    settings = Settings(database=str(folder / "nucleate.db"), worker="off")
    return Runtime(settings=settings, sandbox=sandbox or InProcessSandbox())


def written(folder: Path) -> Path:
    """Write the repository that the library is made from, and return its folder."""
    described = [
        {
            "name": spec.name,
            "doc": f"{spec.name} of the shop.",
            "effect": spec.effect.value,
            "parameters": spec.parameters,
            "returns": spec.returns,
        }
        for spec in FUNCTIONS.values()
    ]
    return repository(folder, {"shop.json": json.dumps({"environment": "shop", "functions": described})})


def filled(folder: Path, runtime: Runtime) -> ImportReport:
    """Import the repository."""
    return import_tools(runtime, written(folder / "repository"), by="ada")


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text in a file, as an editor would."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def changes(report: ImportReport) -> dict[str, str]:
    """Return what became of each tool."""
    return {item.name: item.change.value for item in report.tools}
