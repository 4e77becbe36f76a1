"""Export, edit, import: what changed is judged again and becomes a version; the rest stays as it is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nucleate import InputInvalid, Runtime
from nucleate.exporting import export_tools
from nucleate.exports.folders import MANIFEST
from nucleate.importing import import_tools
from nucleate_codifier.repository import RepositoryError
from nucleate_sandbox import JsonObject
from nucleate_tool_library import State
from tests.codifier.repository.files import example
from tests.doubles import InProcessSandbox
from tests.runtime.exports.shop_library import CHEAPEST, changes, edit, filled, open_shop_runtime


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a database of two tools and their export."""
    folder = tmp_path_factory.mktemp("made")
    with open_shop_runtime(folder) as opened:
        filled(folder, opened)
        export_tools(opened, folder / "lib")
    return folder


@pytest.fixture
def runtime(made: Path, tmp_path: Path) -> Iterator[Runtime]:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    with open_shop_runtime(tmp_path) as opened:
        yield opened


@pytest.mark.slow
def test_a_repository_becomes_a_library_in_the_order_of_its_calls(tmp_path: Path) -> None:
    with open_shop_runtime(tmp_path) as runtime:
        report = filled(tmp_path, runtime)
        assert [(item.name, item.change.value, item.release) for item in report.tools] == [
            ("cheapest", "new", "1.0.0"),
            ("buy_cheapest", "new", "1.0.0"),
        ]
        buy = runtime.library.tool("buy_cheapest", "shop")
        assert (buy.state, buy.version.author) == (State.ACTIVE, "ada")
        assert buy.version.dependencies == (runtime.library.tool("cheapest", "shop").version.id,)


def test_what_nobody_edited_is_not_judged_again(runtime: Runtime, tmp_path: Path) -> None:
    report = import_tools(runtime, tmp_path / "lib", by="ada")
    assert (changes(report), report.exit_code) == ({"cheapest": "unchanged", "buy_cheapest": "unchanged"}, 0)
    assert [item.verdict for item in report.tools] == [None, None]


def test_line_ends_of_another_system_are_no_edit(runtime: Runtime, tmp_path: Path) -> None:
    for path in (tmp_path / "lib").rglob("*.*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    report = import_tools(runtime, tmp_path / "lib", by="ada")
    assert set(changes(report).values()) == {"unchanged"}
    assert export_tools(runtime, tmp_path / "lib").files.written == ()


def test_an_edit_goes_on_trial_beside_the_active_version(runtime: Runtime, tmp_path: Path) -> None:
    before = runtime.library.tool("cheapest", "shop").version
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    report = import_tools(runtime, tmp_path / "lib", by="bo")
    assert changes(report) == {"cheapest": "on trial", "buy_cheapest": "unchanged"}
    trial = runtime.releases.canary("cheapest", "shop")
    assert trial is not None
    assert (trial.approved_by, runtime.library.version(trial.version_id).author) == ("bo", "bo")
    assert runtime.library.tool("cheapest", "shop").version == before
    assert changes(import_tools(runtime, tmp_path / "lib", by="bo"))["cheapest"] == "on trial"


def test_an_edit_that_is_put_in_force_rebuilds_what_calls_it(runtime: Runtime, tmp_path: Path) -> None:
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    report = import_tools(runtime, tmp_path / "lib", by="bo", now=True)
    assert changes(report) == {"cheapest": "changed", "buy_cheapest": "rebuilt"}
    cheapest, buy = (runtime.library.tool(name, "shop") for name in ("cheapest", "buy_cheapest"))
    assert (cheapest.release, cheapest.version.author) == ("1.0.1", "bo")
    assert buy.version.dependencies == (cheapest.version.id,)
    assert (runtime.library.history("cheapest", "shop")[-1].by, cheapest.state) == ("bo", State.ACTIVE)


def test_what_is_on_trial_already_can_be_put_in_force(runtime: Runtime, tmp_path: Path) -> None:
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    import_tools(runtime, tmp_path / "lib", by="bo")
    assert changes(import_tools(runtime, tmp_path / "lib", by="bo", now=True))["cheapest"] == "changed"
    assert "offers[-1]" in runtime.library.tool("cheapest", "shop").version.source


def test_a_bad_edit_is_refused_with_every_finding_and_changes_nothing(runtime: Runtime, tmp_path: Path) -> None:
    before = runtime.library.tool("cheapest", "shop")
    edit(tmp_path / CHEAPEST, "env.shop.search(category=category)", "env.shop.find(kind=category)")
    edit(tmp_path / CHEAPEST, 'return best["sku"]', 'return best["sku"].__class__')
    report = import_tools(runtime, tmp_path / "lib", by="bo", now=True)
    assert (changes(report), report.exit_code) == ({"cheapest": "refused", "buy_cheapest": "unchanged"}, 1)
    verdict = report.tools[0].verdict
    assert verdict is not None
    assert {"policy/attribute", "closure/unknown-function"} <= {finding.rule for finding in verdict.findings}
    assert runtime.library.tool("cheapest", "shop") == before


def test_more_evidence_for_the_same_source_is_a_version_of_its_own(runtime: Runtime, tmp_path: Path) -> None:
    before = runtime.library.tool("cheapest", "shop")
    line: JsonObject = example("rugs", query="The cheapest rug, please")
    calls = json.loads((tmp_path / "lib/shop/cheapest/cheapest.examples.jsonl").read_text("utf-8").splitlines()[1])
    line["calls"] = calls["calls"]
    with (tmp_path / "lib/shop/cheapest/cheapest.examples.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    report = import_tools(runtime, tmp_path / "lib", by="bo", now=True)
    after = runtime.library.tool("cheapest", "shop")
    assert changes(report)["cheapest"] == "changed"
    assert (after.version.source, after.release) == (before.version.source, "1.0.1")
    assert after.version.id != before.version.id
    assert set(changes(import_tools(runtime, tmp_path / "lib", by="bo", now=True)).values()) == {"unchanged"}


@pytest.mark.slow
def test_one_edit_after_another_from_the_same_folder_is_no_conflict(runtime: Runtime, tmp_path: Path) -> None:
    said, words = [], "offer of a category"
    for now, new in ((False, "one"), (True, "two"), (True, "three"), (False, "four"), (False, "five")):
        edit(tmp_path / CHEAPEST, words, f"offer of a category, said {new} times")
        words = f"offer of a category, said {new} times"
        said.append(changes(import_tools(runtime, tmp_path / "lib", by="bo", now=now))["cheapest"])
    assert said == ["on trial", "changed", "changed", "on trial", "on trial"]
    assert runtime.library.tool("cheapest", "shop").release == "1.0.2"
    edit(tmp_path / CHEAPEST, words, "offer of a category, said three times")
    assert set(changes(import_tools(runtime, tmp_path / "lib", by="bo")).values()) == {"unchanged"}
    assert export_tools(runtime, tmp_path / "lib").files.written == ("shop/cheapest/tool.json",)


def test_both_sides_changed_is_a_conflict_and_stays_as_it_is(runtime: Runtime, tmp_path: Path) -> None:
    export_tools(runtime, tmp_path / "other")
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    import_tools(runtime, tmp_path / "lib", by="bo", now=True)
    edit(tmp_path / CHEAPEST.replace("lib", "other"), "Offers.", "The offers.")
    report = import_tools(runtime, tmp_path / "other", by="cy", now=True)
    assert (changes(report)["cheapest"], report.exit_code) == ("conflict", 1)
    assert "offers[-1]" in runtime.library.tool("cheapest", "shop").version.source


def test_a_folder_that_is_behind_the_library_takes_nothing_back(runtime: Runtime, tmp_path: Path) -> None:
    export_tools(runtime, tmp_path / "old")
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    import_tools(runtime, tmp_path / "lib", by="bo", now=True)
    report = import_tools(runtime, tmp_path / "old", by="cy", now=True)
    assert changes(report)["cheapest"] == "behind"
    assert "offers[-1]" in runtime.library.tool("cheapest", "shop").version.source


def test_a_new_folder_is_a_new_tool_and_a_deleted_one_is_only_told(runtime: Runtime, tmp_path: Path) -> None:
    shop = tmp_path / "lib/shop"
    for path in sorted((shop / "buy_cheapest").iterdir()):
        path.unlink()
    (shop / "dearest").mkdir()
    text = (tmp_path / CHEAPEST).read_text("utf-8").replace("cheapest", "dearest").replace("] < best", "] > best")
    (shop / "dearest/dearest.py").write_text(text, encoding="utf-8")
    report = import_tools(runtime, tmp_path / "lib", by="bo")
    assert changes(report) == {"cheapest": "unchanged", "dearest": "refused", "buy_cheapest": "missing"}
    assert runtime.library.tool("buy_cheapest", "shop").state is State.ACTIVE
    verdict = report.tools[1].verdict
    assert verdict is not None
    assert "generality/too-few-queries" in {finding.rule for finding in verdict.findings}


def test_without_docker_a_new_tool_is_a_candidate(tmp_path: Path) -> None:
    with open_shop_runtime(tmp_path, InProcessSandbox(final=False)) as runtime:
        assert changes(filled(tmp_path, runtime)) == {"cheapest": "new", "buy_cheapest": "new"}
        assert runtime.library.tool("cheapest", "shop").state is State.CANDIDATE


def test_a_provisional_verdict_takes_no_active_tools_place(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    with open_shop_runtime(tmp_path, InProcessSandbox(final=False)) as runtime:
        report = import_tools(runtime, tmp_path / "lib", by="bo", now=True)
        assert (changes(report)["cheapest"], report.exit_code) == ("not judged", 2)
        assert "offers[0]" in runtime.library.tool("cheapest", "shop").version.source


def test_a_pinned_tool_stays_as_it_is(runtime: Runtime, tmp_path: Path) -> None:
    runtime.library.pin("cheapest", "shop", by="cy", why="audited")
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    (item, _) = import_tools(runtime, tmp_path / "lib", by="bo", now=True).tools
    assert (item.change.value, "is pinned" in item.why) == ("refused", True)


@pytest.mark.parametrize("place", ["lib/shop/cheapest/tests", CHEAPEST, "lib/shop/link"])
def test_a_symbolic_link_anywhere_stops_the_import(runtime: Runtime, tmp_path: Path, place: str) -> None:
    target = tmp_path / place
    target.unlink(missing_ok=True)
    target.symlink_to(tmp_path / "repository")
    with pytest.raises(InputInvalid, match="is a symbolic link, which is not followed"):
        import_tools(runtime, tmp_path / "lib", by="bo")


def test_what_the_metadata_says_of_names_and_paths_is_not_followed(runtime: Runtime, tmp_path: Path) -> None:
    place = tmp_path / "lib/shop/cheapest/tool.json"
    about = json.loads(place.read_text("utf-8"))
    about |= {
        "name": "../../evil",
        "scope": "/etc",
        "files": {"../../../x.py": "0"},
        "version": "../..",
        "state": "active",
    }
    place.write_text(json.dumps(about), encoding="utf-8")
    assert set(changes(import_tools(runtime, tmp_path / "lib", by="bo")).values()) == {"unchanged"}


def test_metadata_that_cannot_be_read_stops_the_import_before_anything_is_taken_in(
    runtime: Runtime, tmp_path: Path
) -> None:
    (tmp_path / "lib/shop/buy_cheapest/tool.json").write_text("{", encoding="utf-8")
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    with pytest.raises(InputInvalid, match=r"tool.json of 'buy_cheapest' cannot be read"):
        import_tools(runtime, tmp_path / "lib", by="bo", now=True)
    assert "offers[0]" in runtime.library.tool("cheapest", "shop").version.source


def test_an_export_of_another_kind_around_the_folder_is_left_alone(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "lib" / MANIFEST).unlink()
    (tmp_path / MANIFEST).write_text('{"kind": "skills", "files": {}}\n', encoding="utf-8")
    edit(tmp_path / CHEAPEST, "best = offers[0]", "best = offers[-1]")
    assert changes(import_tools(runtime, tmp_path / "lib", by="bo", now=True))["cheapest"] == "changed"
    assert (tmp_path / MANIFEST).read_text("utf-8") == '{"kind": "skills", "files": {}}\n'


def test_a_line_of_evidence_that_is_no_json_is_named(runtime: Runtime, tmp_path: Path) -> None:
    place = tmp_path / "lib/shop/cheapest/cheapest.examples.jsonl"
    place.write_text(place.read_text("utf-8") + "{oops\n", encoding="utf-8")
    with pytest.raises(RepositoryError, match=r"shop/cheapest/cheapest.examples.jsonl:4: not JSON"):
        import_tools(runtime, tmp_path / "lib", by="bo")


def test_nobody_is_not_a_person(runtime: Runtime, tmp_path: Path) -> None:
    with pytest.raises(InputInvalid, match="whoever takes tools in is named"):
        import_tools(runtime, tmp_path / "lib", by=" ")


def test_the_whole_library_moves_to_another_database(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    with open_shop_runtime(tmp_path / "elsewhere") as other:
        report = import_tools(other, tmp_path / "lib", by="dee")
        assert changes(report) == {"cheapest": "new", "buy_cheapest": "new"}
        ids = [[tool.version.id for tool in each.library.tools()] for each in (runtime, other)]
        assert ids[0] == ids[1]
