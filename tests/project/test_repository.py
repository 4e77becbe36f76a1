"""The repository names no machine, pins what it installs, and keeps its rooms small."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.project.places import PACKAGES, ROOT, modules, tracked

REQUIREMENTS = [
    *sorted((ROOT / "requirements").glob("*.txt")),
    ROOT / "sandbox/nucleate_sandbox/image/requirements.txt",
]
HOSTS = re.compile(r"https?://[^\s\"'`)>]*(?:pypi|pythonhosted|/simple\b|npmjs|debian\.org)", re.IGNORECASE)
INDEX_OPTION = re.compile(r"^\s*(?:--?(?:extra-)?index-url|-i|--find-links|-f)\b", re.MULTILINE)
HASHED = re.compile(r"[A-Za-z0-9_.-]+==[^\s;]+(?: ; [^\\]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n")


def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert [path.name for path in tracked() if HOSTS.search(_text(path))] == []


def test_no_file_names_a_path_of_the_machine_it_was_written_on() -> None:
    machine = re.compile(rf"{re.escape(str(ROOT))}\b|{re.escape(str(Path.home()))}/\.")
    assert [str(path.relative_to(ROOT)) for path in tracked() if machine.search(_text(path))] == []


def test_no_lock_file_with_addresses_is_tracked() -> None:
    assert [path.name for path in tracked() if path.name in {"uv.lock", "poetry.lock", "Pipfile.lock"}] == []


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_requirement_is_pinned_to_a_version_and_its_hashes(path: Path) -> None:
    assert HASHED.sub("", _text(path)) == ""


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_requirements_leave_the_choice_of_index_to_the_user(path: Path) -> None:
    assert INDEX_OPTION.findall(_text(path)) == []


def test_the_pinned_set_covers_every_dependency_of_the_package() -> None:
    pinned = {line.split("==")[0] for line in _text(ROOT / "requirements" / "dev.txt").splitlines() if "==" in line}
    declared = {re.split(r"[\[><=;]", name)[0].lower() for name in _declared()}
    assert declared - pinned == set()


def test_a_module_has_at_most_400_lines() -> None:
    long = [path for path in (*modules(), *ROOT.glob("tests/**/*.py")) if len(_text(path).splitlines()) > 400]
    assert [str(path.relative_to(ROOT)) for path in long] == []


def test_the_scripts_that_others_call_are_executable() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--stage", "scripts", ".ci"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    modes = {line.split("\t")[1]: line[:6] for line in listed.splitlines()}
    assert {name: modes[name] for name in (".ci/run", "scripts/test", "scripts/pin")} == {
        ".ci/run": "100755",
        "scripts/test": "100755",
        "scripts/pin": "100755",
    }


def test_every_package_ships_its_types() -> None:
    assert [package.name for package in PACKAGES if not (package / "py.typed").is_file()] == []


def _declared() -> list[str]:
    return list(tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]["dependencies"])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
