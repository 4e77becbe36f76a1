"""An export writes what is its own, refuses what is not, and removes nothing that anybody touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nucleate import InputInvalid
from nucleate.exports.folders import MANIFEST, Written, write_folder

FILES = {"a/one.py": "one = 1\n", "b.txt": "zwei – 二\n"}


def write(to: Path, files: dict[str, str], *, partial: bool = False) -> Written:
    return write_folder(files, to, kind="library", partial=partial)


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST
    }


def test_files_are_written_as_utf8_with_line_feeds_and_once(tmp_path: Path) -> None:
    assert write(tmp_path / "x", FILES) == Written(written=("a/one.py", "b.txt"))
    assert tree(tmp_path / "x") == FILES
    assert write(tmp_path / "x", FILES) == Written(unchanged=("a/one.py", "b.txt"))


def test_equal_exports_are_equal_byte_for_byte(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write(tmp_path / name, dict(reversed(FILES.items())) if name == "y" else FILES)
    assert (tmp_path / "x" / MANIFEST).read_bytes() == (tmp_path / "y" / MANIFEST).read_bytes()


def test_what_is_no_longer_exported_is_removed_with_its_empty_folder(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    assert write(tmp_path, {"b.txt": "new\n"}) == Written(written=("b.txt",), removed=("a/one.py",))
    assert not (tmp_path / "a").exists()


def test_a_partial_export_leaves_the_rest(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    assert write(tmp_path, {"c.txt": "c\n"}, partial=True).removed == ()
    assert sorted(tree(tmp_path)) == ["a/one.py", "b.txt", "c.txt"]
    assert write(tmp_path, {"c.txt": "c\n"}).removed == ("a/one.py", "b.txt")


def test_a_foreign_file_is_in_the_way_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("mine\n", encoding="utf-8")
    with pytest.raises(InputInvalid, match=r"'b.txt' is there already and not from an export"):
        write(tmp_path, FILES)
    assert tree(tmp_path) == {"b.txt": "mine\n"}


def test_foreign_files_beside_it_stay(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine\n", encoding="utf-8")
    write(tmp_path, FILES)
    write(tmp_path, {})
    assert tree(tmp_path) == {"README.md": "mine\n"}


def test_an_edited_file_is_not_overwritten_and_not_removed(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "b.txt").write_text("edited\n", encoding="utf-8")
    with pytest.raises(InputInvalid, match=r"'b.txt' was edited since the last export; import it first"):
        write(tmp_path, {**FILES, "b.txt": "newer\n"})
    assert write(tmp_path, {"a/one.py": "one = 1\n"}) == Written(unchanged=("a/one.py",), kept=("b.txt",))
    assert tree(tmp_path)["b.txt"] == "edited\n"


def test_an_edit_that_equals_the_new_export_is_taken_as_it_is(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    (tmp_path / "b.txt").write_text("newer\n", encoding="utf-8")
    assert write(tmp_path, {**FILES, "b.txt": "newer\n"}).written == ()


def test_nothing_is_written_through_a_symbolic_link(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (inside / "a").symlink_to(outside)
    with pytest.raises(InputInvalid, match=r"'a/one.py' is, or lies behind, a symbolic link"):
        write(inside, FILES)
    (inside / "a").unlink()
    (inside / "b.txt").symlink_to(outside / "target.txt")
    with pytest.raises(InputInvalid, match=r"'b.txt' is, or lies behind, a symbolic link"):
        write(inside, FILES)
    assert list(outside.iterdir()) == []


def test_a_folder_that_became_a_link_since_loses_nothing(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    write(inside, FILES)
    (inside / "a").rename(outside)
    (inside / "a").symlink_to(outside)
    assert write(inside, {"b.txt": FILES["b.txt"]}).removed == ()
    assert (outside / "one.py").exists()


@pytest.mark.parametrize("path", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "a//b", "c:\\x", "a/.", "é.py", ""])
def test_a_path_that_leads_anywhere_else_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(InputInvalid, match="is no path for an export"):
        write(tmp_path / "x", {path: ""})
    assert list(tmp_path.iterdir()) == []


def test_a_list_of_files_that_leads_elsewhere_removes_nothing_there(tmp_path: Path) -> None:
    victim, inside = tmp_path / "victim.txt", tmp_path / "inside"
    victim.write_text("precious\n", encoding="utf-8")
    write(inside, {"victim.txt": "precious\n"})
    listed = json.loads((inside / MANIFEST).read_text("utf-8"))
    listed["files"] = {"../victim.txt": listed["files"]["victim.txt"], str(victim): listed["files"]["victim.txt"]}
    (inside / MANIFEST).write_text(json.dumps(listed), encoding="utf-8")
    assert write(inside, {"victim.txt": "precious\n"}) == Written(unchanged=("victim.txt",))
    assert victim.read_text("utf-8") == "precious\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [("{", "cannot be read"), ("[]", "is no list of an export"), ('{"files": {}, "kind": "skills"}', "'skills'")],
)
def test_a_folder_of_another_export_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / MANIFEST).write_text(text, encoding="utf-8")
    with pytest.raises(InputInvalid, match=says):
        write(tmp_path, FILES)
    assert tree(tmp_path) == {}


def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputInvalid, match="cannot be written"):
        write(tmp_path / "file", FILES)
