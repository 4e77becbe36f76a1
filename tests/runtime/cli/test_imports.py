"""A command that only looks imports what it looks into, and nothing that judges, learns or talks to anybody."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from nucleate.database import open_database
from nucleate_text_memory import TextMemory, Trajectory

LOOKS = {
    "tools list": 60,
    "tools search refund": 60,
    "tools refused": 60,
    "memory list": 50,
    "memory search refund --scope shop": 65,
    "memory stats": 50,
    "jobs list": 50,
    "stats": 60,
    "--help": 12,
    "tools --help": 12,
    "memory --help": 12,
}
# The parts that take long to import, or much memory: those of gates, environments, models and servers.
FOREIGN = frozenset(
    {
        *(
            "RestrictedPython",
            "libcst",
            "mypy",
            "hypothesis",
            "jsonschema",
            "detect_secrets",
            "docker",
            "pydantic_monty",
        ),
        *("alembic", "httpx", "requests", "litellm", "mcp", "starlette", "uvicorn", "opentelemetry"),
        *("pydantic_settings", "sqlalchemy", "sqlmodel", "yaml"),
    }
)
EMBEDS = frozenset({"numpy", "tokenizers"})
# One interpreter: each command runs in a fork of it that has imported nothing.
SCRIPT = """
import os, sys
for words in sys.argv[1:]:
    if os.fork() == 0:
        out = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv = ["nucleate", *words.split()]
        from nucleate.cli import main
        try:
            main()
        except SystemExit as end:
            assert not end.code, end.code
        import json
        os.write(out, (json.dumps([words, sorted(sys.modules)]) + "\\n").encode())
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return the modules that each command imports in a folder with a database of one run."""
    folder = tmp_path_factory.mktemp("looks")
    engine = open_database(str(folder / ".nucleate" / "nucleate.db"))
    TextMemory(engine).store(Trajectory(task_id="one", query="A refund", environment="shop", steps=()))
    engine.dispose()
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, *LOOKS],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return dict(map(json.loads, ran.stdout.splitlines()))


@pytest.mark.parametrize("words", LOOKS)
def test_a_command_that_looks_imports_little(imported: dict[str, list[str]], words: str) -> None:
    tops = {name.partition(".")[0] for name in imported[words]}
    assert sorted(tops & FOREIGN) == []
    ours = [name for name in imported[words] if name.startswith("nucleate")]
    assert len(ours) <= LOOKS[words], ours


@pytest.mark.parametrize("words", [words for words in LOOKS if "search" not in words])
def test_what_embeds_nothing_imports_no_numbers_and_validates_nothing(
    imported: dict[str, list[str]], words: str
) -> None:
    assert sorted({name.partition(".")[0] for name in imported[words]} & (EMBEDS | {"pydantic"})) == []
