"""The configuration file: where it is found, what wins over it, and what is said of a wrong one."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from nucleate import InputInvalid, Settings
from nucleate.settings.config_files import nearest_file, read_settings
from nucleate_codifier import AdmissionPolicy
from nucleate_codifier.repository.config import KEYS

COMMAND = str(Path(sys.executable).with_name("nucleate"))


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "COLUMNS": "200", "HOME": str(folder), **variables}
    return subprocess.run([COMMAND, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def shown(folder: Path, *options: str, **variables: str) -> dict[str, tuple[object, str]]:
    done = run(folder, *options, "config", "show", "--json", **variables)
    assert done.stderr == ""
    return {row["setting"]: (row["value"], row["source"]) for row in json.loads(done.stdout)}


def settings_in(folder: Path) -> dict[str, object]:
    file = nearest_file(folder)
    return {} if file is None else read_settings(file, Settings.model_fields, besides=lambda: KEYS)


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_an_option_wins_over_a_variable_and_that_over_the_file(tmp_path: Path) -> None:
    file = written(tmp_path / "nucleate.toml", 'theta = 5\nbeta = 6\nsandbox = "docker"\n')
    found = shown(tmp_path, "--sandbox", "monty", NUCLEATE_BETA="7", NUCLEATE_SANDBOX="auto")
    assert found["theta"] == (5, str(file))
    assert found["beta"] == (7, "NUCLEATE_BETA")
    assert found["sandbox"] == ("monty", "--sandbox")
    assert found["quorum"] == (2, "default")


def test_a_folder_below_uses_the_nearest_file_and_its_paths_lead_from_there(tmp_path: Path) -> None:
    written(tmp_path / "nucleate.toml", "theta = 9\n")
    file = written(tmp_path / "shop" / "pyproject.toml", '[tool.nucleate]\ndatabase = "data/n.db"\n')
    (tmp_path / "shop" / "deep").mkdir()
    found = shown(tmp_path / "shop" / "deep")
    assert found["database"] == (str(tmp_path / "shop" / "data" / "n.db"), str(file))
    assert found["theta"] == (3, "default")


def test_a_file_of_its_own_counts_before_pyproject_in_one_folder(tmp_path: Path) -> None:
    written(tmp_path / "pyproject.toml", "[tool.nucleate]\ntheta = 4\n")
    written(tmp_path / "nucleate.toml", "theta = 5\n")
    assert settings_in(tmp_path) == {"theta": 5}


def test_a_pyproject_without_our_table_is_passed_by(tmp_path: Path) -> None:
    written(tmp_path / "nucleate.toml", "theta = 5\n")
    written(tmp_path / "deep" / "pyproject.toml", "[tool.other]\nx = 1\n")
    assert settings_in(tmp_path / "deep") == {"theta": 5}


def test_a_database_url_stays_as_it_is(tmp_path: Path) -> None:
    written(tmp_path / "nucleate.toml", 'database = "postgresql://db.example/n"\n')
    assert settings_in(tmp_path) == {"database": "postgresql://db.example/n"}


def test_the_keys_of_admission_stand_in_the_same_table_of_pyproject(tmp_path: Path) -> None:
    written(tmp_path / "pyproject.toml", '[tool.nucleate]\ntheta = 4\nmin_queries = 3\nenvironment = "shop.json"\n')
    assert settings_in(tmp_path) == {"theta": 4}


def test_no_setting_has_the_name_of_a_key_of_admission() -> None:
    assert {item.name for item in fields(AdmissionPolicy)} <= KEYS | {"approved_destructive"}
    assert Settings.model_fields.keys() & KEYS == set()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("thata = 4\n", "nucleate.toml' sets 'thata', which is no setting; did you mean 'theta'?"),
        ("zzz = 4\n", "nucleate.toml' sets 'zzz', which is no setting; `nucleate config show` lists every setting"),
        (
            "min_queries = 4\n",
            "nucleate.toml' sets 'min_queries', which belongs to [tool.nucleate] in pyproject.toml; move it there",
        ),
        ("theta = \n", "nucleate.toml' is not TOML (Invalid value (at line 1, column 9)); correct it"),
    ],
    ids=["near", "far", "of_admission", "not_toml"],
)
def test_a_wrong_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    written(tmp_path / "nucleate.toml", text)
    with pytest.raises(InputInvalid) as caught:
        settings_in(tmp_path)
    assert str(caught.value) == f"'{tmp_path}/{says}"


def test_a_wrong_value_is_named_with_its_place(tmp_path: Path) -> None:
    file = written(tmp_path / "nucleate.toml", "theta = 0\n")
    done = run(tmp_path, "config", "show", NUCLEATE_BETA="many")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"nucleate: theta ({file}): Input should be greater than or equal to 1; beta (NUCLEATE_BETA): Input should be "
        "a valid integer, unable to parse string as an integer; `nucleate config show` lists every setting\n"
    )


def test_a_key_in_a_file_or_a_variable_is_never_shown(tmp_path: Path) -> None:
    written(tmp_path / "nucleate.toml", 'model_key = "sk-very-secret"\n')
    assert shown(tmp_path)["model_key"][0] == "**********"


def test_init_writes_a_file_that_changes_nothing_and_names_every_setting(tmp_path: Path) -> None:
    before = {name: value for name, (value, _) in shown(tmp_path).items()}
    assert run(tmp_path, "init").returncode == 0
    text = (tmp_path / "nucleate.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == {"database": ".nucleate/nucleate.db"}
    assert [name for name in before if f"\n{name} =" not in text and f"\n# {name} =" not in text] == []
    after = {name: value for name, (value, _) in shown(tmp_path).items()}
    assert after == {**before, "database": str(tmp_path / ".nucleate" / "nucleate.db")}


def test_every_commented_value_of_the_written_file_is_the_default(tmp_path: Path) -> None:
    run(tmp_path, "init")
    text = (tmp_path / "nucleate.toml").read_text(encoding="utf-8")
    lines = [line.removeprefix("# ") for line in text.splitlines() if " = " in line and not line.endswith("=")]
    assert Settings(**tomllib.loads("\n".join(lines))) == Settings()


def test_init_leaves_a_file_that_is_there(tmp_path: Path) -> None:
    written(tmp_path / "nucleate.toml", "theta = 5\n")
    done = run(tmp_path, "init")
    assert (done.returncode, done.stderr) == (
        2,
        "nucleate: 'nucleate.toml' is there already; edit it, or write it anew with --force\n",
    )
    assert run(tmp_path, "init", "--force").returncode == 0
    assert shown(tmp_path)["theta"] == (3, "default")
