"""What strangers wrote is shown on a terminal as what it is."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.markup import escape
from rich.table import Table

from nucleate.cli.screen import Screen
from nucleate.shown.visible import json_text, visible

EVIL = "a\x1b[31m\x9b2J\u202eb\x7f\x07\r\u200b\U000e0041\ud800"
SHOWN = "a\\x1b[31m\\x9b2J\\u202eb\\x7f\\x07\\x0d\\u200b\\U000e0041\\ud800"


def test_what_a_terminal_would_obey_is_written_out() -> None:
    assert visible(EVIL) == SHOWN
    assert visible("tab\tline\nünï 查 [b]") == "tab\tline\nünï 查 [b]"


def test_a_value_as_json_holds_nothing_that_a_terminal_obeys_and_is_the_same_value() -> None:
    value = {EVIL[:-1]: [EVIL[:-1]]}
    text = json_text(value)
    assert json.loads(text) == value
    assert visible(text) == text


@pytest.mark.parametrize("wrap", [str, escape], ids=["text", "markup"])
def test_a_table_shows_what_is_in_it(wrap: type[str]) -> None:
    out = io.StringIO()
    table = Table("name")
    table.add_row(wrap(EVIL[:-1]))
    Screen(file=out, width=120).print(table)
    assert "\x1b" not in out.getvalue()
    assert "\\x9b2J\\u202eb\\x7f" in out.getvalue()


def test_every_command_that_shows_strangers_text_uses_the_one_screen() -> None:
    folder = Path(sys.modules["nucleate.cli.screen"].__file__ or "").parent
    others = [path for path in folder.rglob("*.py") if path.name != "screen.py"]
    assert [path.name for path in others if "Console(" in path.read_text("utf-8")] == []


def test_a_function_is_added_and_called_without_a_mark_of_its_author_reaching_the_terminal(tmp_path: Path) -> None:
    module = "class Desk:\n    def ask(self) -> str:\n        '''Ask.\\x1b[2J\\u202e'''\n        return chr(27) + ']0;owned' + chr(7)\n\n\ndesk = Desk()\n"
    (tmp_path / "strange_desk.py").write_text(module, encoding="utf-8")
    commands = (
        ["env", "add", "desk", "--object", "strange_desk:desk"],
        ["env", "call", "desk", "ask", "--yes"],
        ["env", "describe", "desk", "ask"],
    )
    for words in commands:
        command = [
            sys.executable,
            "-c",
            "from nucleate.cli import main; main()",
            "--database",
            str(tmp_path / "n.db"),
            *words,
        ]
        environment = {"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path), "NO_COLOR": "1", "PATH": ""}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, env=environment, timeout=120, check=False)
        said = (done.stdout + done.stderr).decode()
        assert done.returncode == 0, said
        assert visible(said) == said
