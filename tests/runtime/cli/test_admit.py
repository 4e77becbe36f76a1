"""`nucleate admit` as a command: what it prints, writes and ends with."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from nucleate_codifier.rulebook import RULES
from tests.codifier.repository.files import FILES, FUNCTIONS, repository
from tests.project.places import ROOT
from tests.runtime.cli.in_process import Ended, nucleate

NUCLEATE = Path(sys.executable).with_name("nucleate")
DESCRIBED = json.dumps(
    {
        "environment": "shop",
        "functions": [
            {"name": spec.name, "parameters": spec.parameters, "returns": spec.returns, "effect": spec.effect.value}
            for spec in FUNCTIONS.values()
        ],
    }
)


def _environment(folder: Path, sandbox: str) -> dict[str, str]:
    return {
        "PATH": f"{NUCLEATE.parent}:/usr/bin:/bin",
        "COLUMNS": "160",
        "HOME": str(folder.parent),
        "NUCLEATE_SANDBOX": sandbox,
        **{name: value for name, value in os.environ.items() if name.startswith("DOCKER_")},
    }


def _admit(folder: Path, *words: str, sandbox: str = "monty") -> Ended:
    return nucleate(folder, "admit", *words, environment=_environment(folder, sandbox))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with one tool that passes, one that does not, and a commit."""
    bad = FILES["tools/buy_cheapest.py"].replace("shop.order", "shop.ordr")
    folder = repository(
        tmp_path_factory.mktemp("home") / "shop", {"shop.json": DESCRIBED, "tools/buy_cheapest.py": bad}
    )
    for words in ("init --quiet", "add --all", "commit --quiet --message=first"):
        who = ("-c", "user.name=Ada Example", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *shlex.split(words)], cwd=folder, check=True)
    return folder


@pytest.mark.slow
def test_people_see_each_tool_with_its_gates_and_each_finding_with_its_source_line(shop: Path) -> None:
    ended = _admit(shop)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "✗ refused     tools/buy_cheapest.py" in ended.stdout
    assert "✓ parse  ✓ policy  ✗ closure" in ended.stdout
    assert (
        "tools/buy_cheapest.py:6  closure/unknown-function  the environment has no function 'shop.ordr'" in ended.stdout
    )
    assert '6 │ return env.shop.ordr(sku=cheapest(category=category))["order_id"]' in ended.stdout
    assert "– provisional tools/cheapest.py" in ended.stdout
    assert "2 tools: 1 provisional, 1 refused" in ended.stdout


def test_json_is_byte_for_byte_the_same_but_for_the_times(shop: Path) -> None:
    texts = [_admit(shop, "--format", "json", *words).stdout for words in ((), ("--no-cache", "--jobs", "2"))]
    first, second = (text.partition('\n  "times": {')[0] for text in texts)
    assert first == second
    assert json.loads(texts[0])["counts"] == {"provisional": 1, "rejected": 1}


def test_provisional_is_not_admitted_and_ends_with_2(shop: Path) -> None:
    ended = _admit(shop, "tools/cheapest.py", "-v")
    assert ended.returncode == 2
    assert "provisional is not admitted: the embedded sandbox is no boundary" in ended.stdout
    assert "depends on: " in ended.stdout


def test_files_are_written_in_the_format_of_their_endings(shop: Path) -> None:
    files = {name: shop.parent / f"out.{name}" for name in ("sarif", "xml", "json", "txt")}
    outputs = [word for file in files.values() for word in ("--output", str(file))]
    ended = _admit(shop, "--format", "github", *outputs[:6])
    assert ended.stdout.splitlines()[-1] == "::notice title=nucleate admit::1 provisional, 1 rejected"
    assert json.loads(files["sarif"].read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert ET.parse(files["xml"]).getroot().tag == "testsuites"
    assert json.loads(files["json"].read_text(encoding="utf-8"))["decision"] == "rejected"


def test_what_did_not_change_is_not_judged(shop: Path) -> None:
    ended = _admit(shop, "--changed-since", "HEAD")
    assert (ended.returncode, ended.stdout.strip()) == (0, "nothing to judge")


@pytest.mark.slow
def test_the_hook_for_other_repositories_judges_what_a_commit_changes(shop: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    tool = shop / "tools" / "cheapest.py"
    before = tool.read_text(encoding="utf-8")
    tool.write_text(before.replace("shop.search", "shop.serch"), encoding="utf-8")
    try:
        hooked = shlex.split(hook["entry"])
        ended = subprocess.run(
            hooked, cwd=shop, env=_environment(shop, "monty"), capture_output=True, text=True, check=False
        )
    finally:
        tool.write_text(before, encoding="utf-8")
    assert ended.returncode == 1
    assert "2 tools: 2 refused" in ended.stdout


def test_a_rule_is_explained(tmp_path: Path) -> None:
    ended = _admit(tmp_path, "--explain", "closure/unknown-function")
    assert ended.returncode == 0
    assert [word for word in ("refuses: ", "why: ", "fix: ", "instead") if word not in ended.stdout] == []


def test_without_a_name_all_rules_are_listed(tmp_path: Path) -> None:
    ended = _admit(tmp_path, "--explain")
    assert ended.returncode == 0
    assert [rule for rule in RULES if f"{rule} " not in ended.stdout] == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--explain", "closure/unknown-funktion"), "did you mean closure/unknown-function"),
        (("nosuch",), "there is no 'nosuch'; check the path"),
        ((), "name a path, or the folders of the tools"),
        (("--sandbox", "chroot", "."), "sandbox"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    (tmp_path / "half.py").write_text("def half(): ...", encoding="utf-8")
    ended = _admit(tmp_path, *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert says in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.docker
def test_in_docker_a_good_tool_is_admitted_and_then_remembered(shop: Path, docker_sandbox: object) -> None:
    ended = _admit(shop, "tools/cheapest.py", sandbox="docker")
    assert (ended.returncode, "1 admitted" in ended.stdout) == (0, True)
    again = _admit(shop, "tools/cheapest.py", sandbox="docker")
    assert (again.returncode, "remembered" in again.stdout) == (0, True)
