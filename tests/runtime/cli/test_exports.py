"""`nucleate tools export` and `import` as somebody at a terminal meets them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.runtime.cli.in_process import Ended, nucleate
from tests.runtime.exports.shop_library import filled, open_shop_runtime

MODULE = "lib/shop/cheapest/cheapest.py"


def run(folder: Path, *words: str) -> Ended:
    environment = {"PATH": "/usr/bin:/bin", "COLUMNS": "160", "NUCLEATE_SANDBOX": "monty", "HOME": str(folder)}
    return nucleate(folder, "--database", "nucleate.db", *words, environment=environment)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    with open_shop_runtime(folder) as runtime:
        filled(folder, runtime)
    done = run(folder, "tools", "export", "--to", "lib")
    assert (done.returncode, done.stdout) == (0, "2 tools in 'lib'; files: 8 written\n"), done.stderr
    return folder


@pytest.fixture
def exported(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "copy")


def test_an_export_taken_back_in_changes_nothing(exported: Path) -> None:
    done = run(exported, "tools", "import", "lib", "--by", "ada")
    assert (done.returncode, done.stdout) == (
        0,
        "= unchanged  cheapest 1.0.0\n= unchanged  buy_cheapest 1.0.0\n2 tools: 2 unchanged\n",
    )


def test_a_bad_edit_prints_each_finding_with_its_line_and_its_fix(exported: Path) -> None:
    path = exported / MODULE
    path.write_text(path.read_text("utf-8").replace("env.shop.search", "env.shop.find"), encoding="utf-8")
    done = run(exported, "tools", "import", "lib", "--by", "ada")
    assert done.returncode == 1
    assert "✗ refused    cheapest 1.0.0" in done.stdout
    assert "shop/cheapest/cheapest.py:6  closure/unknown-function" in done.stdout
    assert '6 │ offers = env.shop.find(category=category)["offers"]' in done.stdout
    assert "fix: " in done.stdout


def test_the_json_says_the_same_and_the_exit_code_stays(exported: Path) -> None:
    path = exported / MODULE
    path.write_text(path.read_text("utf-8").replace("env.shop.search", "env.shop.find"), encoding="utf-8")
    done = run(exported, "tools", "import", "lib", "--by", "ada", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["exit_code"]) == (1, 1)
    assert [(item["name"], item["change"]) for item in report["tools"]] == [
        ("cheapest", "refused"),
        ("buy_cheapest", "unchanged"),
    ]
    assert report["tools"][0]["verdict"]["decision"] == "rejected"


@pytest.mark.parametrize(("form", "count"), [("package", 13), ("skills", 21)])
def test_the_other_formats_tell_what_they_wrote_as_json(exported: Path, form: str, count: int) -> None:
    done = run(exported, "tools", "export", "--format", form, "--to", "out", "--json")
    report = json.loads(done.stdout)
    assert (report["format"], report["tools"], len(report["written"])) == (form, ["buy_cheapest", "cheapest"], count)
    assert (report["left_out"], report["folder"]) == ({}, "out")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("export", "--to", "lib", "--format", "skills"), "holds an export of the format 'library'"),
        (("export", "nosuch", "--to", "new"), "no tool named 'nosuch'"),
        (("export", "--to", "nucleate.db"), "cannot be written"),
        (("export", "--format", "package", "--package", "a b", "--to", "new"), "'a b' is no name for a package"),
        (("import", "nowhere"), "there is no 'nowhere'"),
        (("import", "lib/shop/cheapest/tool.json"), "is no tool"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_code_2(exported: Path, words: tuple[str, ...], says: str) -> None:
    done = run(exported, "tools", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
