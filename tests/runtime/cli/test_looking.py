"""What a command shows is the same, whether SQLite's own driver reads the file or SQLAlchemy does."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate import Runtime, Settings
from tests.runtime.cli.in_process import nucleate

LOOKS = (
    "tools list --all",
    "tools show open_ticket",
    "tools source open_ticket",
    "tools history open_ticket",
    "tools diff open_ticket",
    "tools graph",
    "tools refused",
    "tools search ticket",
    "memory list --all",
    "memory search ticket --scope desk",
    "memory as-of --scope desk",
    "memory stats",
    "jobs list",
    "jobs list --state done --kind select",
    "jobs show 1",
    "stats",
)


class Desk:
    """A help desk."""

    def find(self, email: str) -> dict[str, str]:
        """Find a customer."""
        return {"customer_id": f"c-{email}"}

    def open(self, customer_id: str, text: str) -> dict[str, str]:
        """Open a ticket."""
        return {"ticket_id": f"t-{customer_id}-{len(text)}"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a library of one tool, learned there, which has an alias."""
    folder = tmp_path_factory.mktemp("library")
    database = str(folder / "n.db")
    settings = Settings(database=database, sandbox="monty", allow_provisional=True, worker="inline")
    with Runtime(Desk(), settings=settings) as runtime:
        for name, text in {"ada": "it hums", "bo": "no sound", "cy": "black", "di": "flat", "ed": "stuck"}.items():
            with runtime.record(f"{name}@desk.test says: {text}. Open a ticket.") as run:
                customer = run.env.desk.find(email=f"{name}@desk.test")
                run.env.desk.open(customer_id=customer["customer_id"], text=text)
        (tool,) = runtime.library.tools()
        runtime.library.alias("open_ticket", to=tool.name, by="ada", why="it is shorter")
    return folder


@pytest.mark.parametrize("as_json", ["--json", ""], ids=["json", "text"])
@pytest.mark.parametrize("words", LOOKS)
def test_both_ways_to_read_show_the_same(library: Path, words: str, as_json: str) -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(library), "COLUMNS": "120", "NO_COLOR": "1"}
    places = (str(library / "n.db"), f"sqlite:///{library / 'n.db'}")
    command = [*words.split(), *as_json.split()]
    file, url = (nucleate(library, "--database", place, *command, environment=environment) for place in places)
    assert file.returncode == 0, file.stderr
    assert (file.stdout, file.returncode) == (url.stdout, url.returncode)
    assert file.stdout.strip()
