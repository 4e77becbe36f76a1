"""`nucleate stats` and the figures behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate import Runtime, Settings
from nucleate.figures import Figures, stats
from nucleate_tool_library import run_on


class Desk:
    """A help desk."""

    def find(self, email: str) -> dict[str, str]:
        """Find a customer."""
        return {"customer_id": f"c-{email}"}

    def open(self, customer_id: str, text: str) -> dict[str, str]:
        """Open a ticket."""
        return {"ticket_id": f"t-{customer_id}-{len(text)}"}


def _figures(runtime: Runtime) -> dict[str, Figures]:
    with runtime.jobs.engine.connect() as connection:
        return stats(run_on(connection), today="2026-01-01")


TEXTS = {"ada@desk.test": "it hums", "bo@desk.test": "no sound", "cy@desk.test": "black screen",
         "di@desk.test": "flat battery", "ed@desk.test": "stuck keys"}  # fmt: skip


def _settings(folder: Path) -> Settings:
    return Settings(database=str(folder / "n.db"), sandbox="monty", allow_provisional=True, worker="inline")


def test_nothing_has_happened_yet(tmp_path: Path) -> None:
    with Runtime(Desk(), settings=_settings(tmp_path)) as runtime:
        assert _figures(runtime) == {
            "experience": {"trajectories": 0, "solved": 0},
            "memory": {},
            "verdicts": {},
            "tools": {"uses per tool": 0.0, "share ever used": 0.0},
            "calls by path": {},
            "calls": {"of tools": 0, "failed": 0, "saved": 0},
            "jobs": {},
            "models": {
                "calls": 0,
                "prompt tokens": 0,
                "completion tokens": 0,
                "dollars": 0.0,
                "dollars today": 0.0,
            },
        }


@pytest.mark.slow
def test_what_was_learned_and_saved_is_counted(tmp_path: Path) -> None:
    with Runtime(Desk(), settings=_settings(tmp_path)) as runtime:
        for email, text in TEXTS.items():
            with runtime.record(f"{email} says: {text}. Open a ticket.") as run:
                customer = run.env.desk.find(email=email)
                run.env.desk.open(customer_id=customer["customer_id"], text=text)
                run.finish(success=email != "ed@desk.test")
        (tool,) = runtime.tools_for("fay@desk.test says: no charger. Open a ticket.")
        tool(email="fay@desk.test", text="no charger")
        runtime.call(tool.version.name, {"email": "gil@desk.test", "text": "smoke"}, path="mcp")
        found = _figures(runtime)
    assert found["experience"] == {"trajectories": 5, "solved": 4}
    assert found["memory"] == {"plan": 1, "active": 1}
    assert found["verdicts"] == {"provisional": 1}
    assert found["tools"] == {"candidate": 1, "uses per tool": 2.0, "share ever used": 1.0}
    assert found["calls by path"] == {"agent": 1, "mcp": 1}
    assert found["calls"] == {"of tools": 2, "failed": 0, "saved": 2}
