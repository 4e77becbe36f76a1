"""Agent Skills: valid by the reference validator, runnable by a person, and never more than the allowed fields."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from skills_ref.parser import read_properties
from skills_ref.validator import validate

from nucleate.exporting import export_tools
from nucleate.exports.modules import Closed
from nucleate.exports.skill_files import served_skill, skill_files, skill_names
from nucleate_tool_library import State, Tool
from tests.runtime.exports.sample_tools import GREETING, version
from tests.runtime.exports.shop_library import filled, open_shop_runtime

SKILL = "buy-cheapest"
SHOP = '''
class Shop:
    """Offers and orders."""

    def search(self, category):
        if category == "moon":
            raise LookupError("no category 'moon'")
        return {"offers": [{"sku": f"{category}-1", "price": 4}, {"sku": f"{category}-2", "price": 3}]}

    def order(self, sku):
        return {"order_id": f"O-{sku}"}


def make():
    return {"shop": Shop()}
'''


@pytest.fixture(scope="module")
def skills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("skills")
    with open_shop_runtime(folder) as runtime:
        filled(folder, runtime)
        report = export_tools(runtime, folder / "skills", form="skills")
    assert (report.tools, report.left_out) == (("buy_cheapest", "cheapest"), {})
    (folder / "skills" / SKILL / "my_shop.py").write_text(SHOP, encoding="utf-8")
    return folder / "skills"


def run(skills: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "scripts/buy_cheapest.py", *words]
    return subprocess.run(command, cwd=skills / SKILL, capture_output=True, encoding="utf-8", check=False)


def test_the_reference_validator_finds_nothing(skills: Path) -> None:
    folders = sorted(path for path in skills.iterdir() if path.is_dir())
    assert {path.name: validate(path) for path in folders} == {"buy-cheapest": [], "cheapest": []}


def test_its_command_says_so_too(skills: Path) -> None:
    command = [str(Path(sys.executable).with_name("agentskills")), "validate", str(skills / SKILL)]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (ended.returncode, "Valid skill" in ended.stdout) == (0, True), ended.stderr


def test_everything_else_stands_under_metadata(skills: Path) -> None:
    read = read_properties(skills / SKILL)
    assert read.description == (
        "Order the cheapest offer of a category, and return the order's id. "
        "Use it instead of calling shop.order, shop.search one by one."
    )
    assert (read.metadata or {})["tool"] == "buy_cheapest"
    assert sorted(read.metadata or {}) == ["environment", "made-by", "release", "state", "tool", "version"]


def test_the_script_repeats_a_recorded_run(skills: Path) -> None:
    ended = run(skills, "--recorded", "1")
    assert (ended.returncode, json.loads(ended.stdout), ended.stderr) == (0, "O-lamps", "")
    missing = run(skills, "--recorded", "9")
    assert (missing.returncode, missing.stderr) == (2, "--recorded 9: there are 3 recorded runs\n")


def test_the_script_calls_an_object_that_has_the_functions(skills: Path) -> None:
    ended = run(skills, "--arguments", '{"category": "rugs"}', "--environment", "my_shop:make")
    assert (ended.returncode, json.loads(ended.stdout)) == (0, "O-rugs-2"), ended.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--arguments", '{"category": "a"}'), 2, "the tool calls shop.order, shop.search; give --environment"),
        (("--arguments", '{"kind": "a"}'), 2, "--arguments: missing a required argument: 'category'; the tool is"),
        (("--arguments", "{"), 2, "--arguments: Expecting property name"),
        (("--arguments", '{"category": "a"}', "--environment", "my_shop:none"), 2, "give MODULE:NAME"),
        (
            ("--arguments", '{"category": "moon"}', "--environment", "my_shop:Shop"),
            1,
            "LookupError: no category 'moon'",
        ),
    ],
)
def test_what_it_lacks_is_one_line_with_the_next_step(
    skills: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    ended = run(skills, *words)
    assert (ended.returncode, ended.stdout) == (code, "")
    assert says in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_help_says_what_the_tool_needs(skills: Path) -> None:
    ended = run(skills, "--help")
    assert "calls shop.order, shop.search" in " ".join(ended.stdout.split())


def test_the_evals_are_the_recorded_tasks(skills: Path) -> None:
    evals = json.loads((skills / SKILL / "evals/evals.json").read_text("utf-8"))
    assert (evals["skill_name"], [item["id"] for item in evals["evals"]]) == (SKILL, [1, 2, 3])
    assert evals["evals"][0] == {
        "id": 1,
        "prompt": "Which lamp is the cheapest?",
        "expected_output": 'The result of buy_cheapest for {"category":"lamps"}: "O-lamps"',
        "files": [],
        "assertions": [
            'scripts/buy_cheapest.py is run with the arguments {"category":"lamps"}',
            'The result is "O-lamps"',
        ],
    }


def named(name: str, source: str = GREETING, scope: str = "shop") -> Closed:
    made = replace(version(name, source.replace("greeting", name)), scope=scope)
    tool = Tool(name=name, scope=scope, state=State.ACTIVE, version=made)
    return Closed(tool=tool, closure=(made,))


def write(folder: Path, items: list[Closed]) -> list[str]:
    """Write skills by hand, validate each, and return their names."""
    for path, text in skill_files(items, {}).files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    names = sorted(path.name for path in folder.iterdir())
    assert {name: validate(folder / name) for name in names} == {name: [] for name in names}
    return names


def test_names_that_would_collide_are_marked(tmp_path: Path) -> None:
    names = write(tmp_path, [named("find_it"), named("find__it"), named("FindIt"), named("x" * 64), named("import_")])
    assert len(names) == 5
    assert "findit" in names


def test_tools_of_two_environments_with_one_name_get_a_folder_each(tmp_path: Path) -> None:
    assert write(tmp_path, [named("greet"), named("greet", scope="Back office")]) == ["back-office-greet", "shop-greet"]


@pytest.mark.parametrize(
    "doc",
    [
        "Say --- something: with # odd {signs} and 'quotes' and \\\\ <b>tags</b>.",
        "Grüße 你好 🙂 senden.",
        "Word " * 600,
        "- a list\n    - of things: yes",
    ],
    ids=["signs", "letters", "long", "list"],
)
def test_any_docstring_makes_a_valid_header(tmp_path: Path, doc: str) -> None:
    write(tmp_path, [named("greet", GREETING.replace("Greet somebody.", doc))])
    read = read_properties(tmp_path / "greet")
    assert 0 < len(read.description) <= 1024
    assert "<" not in read.description


def test_a_skill_that_a_server_offers_is_valid_too_and_says_how_it_is_called(tmp_path: Path) -> None:
    item = named("greet")
    (name,) = skill_names([item.tool])
    (tmp_path / name).mkdir()
    page = served_skill(item, name, {})
    (tmp_path / name / "SKILL.md").write_text(page, encoding="utf-8")
    assert validate(tmp_path / name) == []
    assert "Call `call_tool` of this server with the name `greet`" in page
    assert "scripts/" not in page


def test_a_tool_with_packages_says_so_in_its_script_and_keeps_its_lock(tmp_path: Path) -> None:
    source = '# /// script\n# dependencies = ["humanize==4.12.3"]\n# ///\nimport humanize\n' + GREETING
    lock = f"humanize==4.12.3 \\\n    --hash=sha256:{'0' * 64}\n"
    made = replace(version("greeting", source), lock=lock)
    closed = Closed(tool=Tool(name="greeting", scope="shop", state=State.ACTIVE, version=made), closure=(made,))
    files = skill_files([closed], {}).files
    assert '# dependencies = ["humanize==4.12.3"]' in files["greeting/scripts/greeting.py"]
    assert files["greeting/scripts/requirements.txt"] == lock
