"""A plain package: what the sandbox provides by name is imported, versions fit together, names are its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from nucleate import InputInvalid
from nucleate.exporting import export_tools
from nucleate.exports.library_files import Files
from nucleate.exports.modules import Closed
from nucleate.exports.package_files import Package, package_files
from nucleate_tool_library import State, Tool, ToolVersion
from tests.runtime.exports.sample_tools import GREETING, version
from tests.runtime.exports.shop_library import filled, open_shop_runtime

PACKAGE = Package(name="shop-tools")


def closed(*closure: ToolVersion) -> Closed:
    last = closure[-1]
    return Closed(tool=Tool(name=last.name, scope="shop", state=State.ACTIVE, version=last), closure=closure)


def made(*items: Closed) -> Files:
    return package_files(items, PACKAGE, {})


def named(name: str, *, calls: tuple[ToolVersion, ...] = ()) -> ToolVersion:
    found = version(name, GREETING.replace("greeting", name))
    return replace(found, dependencies=tuple(item.id for item in calls))


def test_a_library_becomes_the_files_of_a_package(tmp_path: Path) -> None:
    with open_shop_runtime(tmp_path) as runtime:
        filled(tmp_path, runtime)
        report = export_tools(runtime, tmp_path / "package", form="package")
    assert report.tools == ("buy_cheapest", "cheapest")
    assert sorted(report.files.written) == [
        "README.md",
        "pyproject.toml",
        "src/shop_tools/__init__.py",
        "src/shop_tools/_binding.py",
        "src/shop_tools/_checking.py",
        "src/shop_tools/_recorded.py",
        "src/shop_tools/tools/__init__.py",
        "src/shop_tools/tools/buy_cheapest.py",
        "src/shop_tools/tools/cheapest.py",
        "tests/runs/buy_cheapest.jsonl",
        "tests/runs/cheapest.jsonl",
        "tests/runs/reads.json",
        "tests/test_recorded_runs.py",
    ]
    text = (tmp_path / "package/src/shop_tools/tools/buy_cheapest.py").read_text("utf-8")
    assert text.startswith(
        '"""Orders."""\n\nfrom shop_tools._binding import env\nfrom shop_tools.tools.cheapest import cheapest\n\n\ndef buy'
    )


@pytest.mark.parametrize(
    ("head", "begins"),
    [
        ("", "from shop_tools._binding import FunctionError\n\ndef "),
        ("import re\n", "from shop_tools._binding import FunctionError\n\nimport re\n"),
        ('"""Words."""\n\nimport re\n', '"""Words."""\n\nfrom shop_tools._binding import FunctionError\n\nimport re\n'),
        (
            "from __future__ import annotations\nimport re\n",
            "from __future__ import annotations\n\nfrom shop_tools._binding import FunctionError\n\nimport re\n",
        ),
        (
            "# /// script\n# dependencies = []\n# ///\nimport re\n",
            "# /// script\n# dependencies = []\n# ///\nfrom shop_tools._binding import FunctionError\n\nimport re\n",
        ),
        ("@dataclass\nclass X: ...\n", "from shop_tools._binding import FunctionError\n\n@dataclass\nclass X: ...\n"),
    ],
    ids=["bare", "import", "docstring", "future", "block", "decorator"],
)
def test_imports_stand_where_the_language_wants_them(head: str, begins: str) -> None:
    body = 'def act() -> int:\n    """Do it."""\n    raise FunctionError("no")\n'
    tool = version("act", head + body)
    assert made(closed(tool)).files["src/shop_tools/tools/act.py"].startswith(begins)


def test_a_tool_that_calls_an_older_version_is_left_out(tmp_path: Path) -> None:
    old, new = named("help_out"), replace(named("help_out"), source=GREETING.replace("greeting", "help_out") + "\n")
    caller, other = named("caller", calls=(old,)), named("other", calls=(new,))
    files = made(closed(new), closed(old, caller), closed(new, other))
    assert files.tools == ("help_out", "other")
    assert files.left_out == {"caller": "it calls an older version of 'help_out'; `nucleate tools verify` renews it"}
    assert "src/shop_tools/tools/caller.py" not in files.files


def test_a_name_of_the_packages_own_leaves_out_the_tool_and_its_callers() -> None:
    bind = named("bind")
    files = made(closed(bind), closed(bind, named("caller", calls=(bind,))), closed(named("fine")))
    assert (files.tools, sorted(files.left_out)) == (("fine",), ["bind", "caller"])


def test_a_package_without_any_tool_is_an_error_that_says_why() -> None:
    with pytest.raises(InputInvalid, match="none of the tools can be in a package: 'bind' is a name of the package"):
        made(closed(named("bind")))


def test_locks_that_do_not_fit_together_are_told_and_none_is_written() -> None:
    one, two = (f"humanize=={number} \\\n    --hash=sha256:{'0' * 64}\n" for number in ("4.12.3", "4.12.2"))
    first, second = replace(named("first"), lock=one), replace(named("second"), lock=two)
    assert made(closed(first)).files["requirements.txt"] == one
    both = made(closed(first), closed(second))
    assert ("requirements.txt" in both.files, list(both.left_out)) == (False, ["requirements.txt"])
    assert both.tools == ("first", "second")


@pytest.mark.parametrize("name", ["", "9lives", "a b", "../x", "x/y", "class!"])
def test_a_name_that_no_package_can_have_is_refused(name: str) -> None:
    with pytest.raises(InputInvalid, match="is no name for a package"):
        Package(name=name)


def test_a_version_that_no_package_can_have_is_refused() -> None:
    with pytest.raises(InputInvalid, match="'one' is no version of a package"):
        Package(name="x", version="one")


def test_tools_of_two_environments_need_a_choice(tmp_path: Path) -> None:
    with open_shop_runtime(tmp_path) as runtime:
        filled(tmp_path, runtime)
        other = replace(named("greet"), scope="office")
        runtime.library.register(other, state=State.ACTIVE, approved_by="test")
        with pytest.raises(InputInvalid, match="say which of office, shop by --scope"):
            export_tools(runtime, tmp_path / "package", form="package")
        assert export_tools(runtime, tmp_path / "package", form="package", scope="office").tools == ("greet",)
