"""`nucleate sandbox`: what its commands print, and what they say of bad input."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from nucleate.cli.app import app
from nucleate.errors import InputInvalid
from nucleate_sandbox import DockerSandbox, Lock, PackageError
from nucleate_sandbox.docker import image_tag


def run(*words: str) -> str:
    result = CliRunner().invoke(app, ["sandbox", *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize("name", ["build", "lock", "status", "clean"])
def test_every_command_has_help(name: str) -> None:
    assert "Usage: " in run(name, "--help")


def test_the_lock_of_a_file_is_printed_as_it_is_stored(tmp_path: Path) -> None:
    source = tmp_path / "spoken.py"
    source.write_text("# /// script\n# dependencies = ['humanize==4.12.3']\n# ///\nimport humanize\n", encoding="utf-8")
    assert Lock(text=run("lock", str(source))).pins == {"humanize": "4.12.3"}


def test_a_file_that_declares_nothing_has_an_empty_lock(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("x = 1\n", encoding="utf-8")
    assert run("lock", str(tmp_path / "plain.py")) == ""


def test_bad_input_is_one_error_that_names_it(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("# /// script\n# dependencies = ['x @ file:///x']\n# ///\n", encoding="utf-8")
    with pytest.raises(InputInvalid, match=r"^'x @ file:///x' names a place; name a package") as caught:
        run("lock", str(bad))
    assert isinstance(caught.value.__cause__, PackageError)
    with pytest.raises(InputInvalid, match=r"^'.*nosuch\.py' cannot be read \(.*\); give the file of a tool$"):
        run("lock", str(tmp_path / "nosuch.py"))


@pytest.mark.docker
def test_building_what_is_there_names_it_and_status_lists_it(docker_sandbox: DockerSandbox) -> None:
    assert run("build") == f"image {image_tag()}\n"
    with docker_sandbox.open() as session:
        session.run("1")
        told = run("status").splitlines()
    assert told[1] == f"image       {image_tag()}"
    assert any(line.startswith("  container ") and "(call, running)" in line for line in told)


@pytest.mark.docker
def test_cleaning_says_how_much_was_removed(docker_sandbox: DockerSandbox) -> None:
    assert run("clean").splitlines()[-1].endswith(" containers removed")
