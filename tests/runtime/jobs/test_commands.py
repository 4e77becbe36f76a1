"""`nucleate jobs` and `nucleate worker`, as a person at a terminal and as a script sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from nucleate.cli.app import app
from nucleate.database import open_database
from nucleate.jobs import Jobs
from tests.runtime.reflection.bench import FINISH, add, live, pitfall, reviewed, says


def run(folder: Path, *words: str) -> str:
    """Run a command on the folder's database and return what it prints."""
    ended = CliRunner().invoke(app, ["--database", str(folder / "n.db"), "--sandbox", "monty", *words])
    assert ended.exception is None, ended.output
    return ended.stdout


def read(folder: Path, *words: str) -> Any:
    """Return the JSON that a command prints."""
    return json.loads(run(folder, *words, "--json"))


def queue(folder: Path, *subjects: str) -> None:
    """Queue jobs of a kind that nobody handles."""
    engine = open_database(str(folder / "n.db"))
    for subject in subjects:
        Jobs(engine).put("paint", subject, key=subject)
    engine.dispose()


def test_jobs_are_listed_cancelled_and_tried_again(tmp_path: Path) -> None:
    queue(tmp_path, "red", "blue")
    assert read(tmp_path, "jobs", "cancel", "1")["state"] == "cancelled"
    listed = read(tmp_path, "jobs", "list", "--state", "cancelled")
    assert ([job["subject"] for job in listed["jobs"]], listed["counts"]) == (["red"], {"cancelled": 1, "queued": 1})
    assert read(tmp_path, "jobs", "retry", "1")["state"] == "queued"
    assert run(tmp_path, "jobs", "list").splitlines()[-1] == "2 queued"


def test_a_worker_leaves_dead_letters_with_their_reason_and_they_are_tried_again_on_demand(tmp_path: Path) -> None:
    queue(tmp_path, "red")
    assert run(tmp_path, "worker", "--once") == "0 jobs done; left: 1 dead\n"
    shown = read(tmp_path, "jobs", "show", "1")
    assert (shown["state"], shown["error"][:34]) == ("dead", "LookupError: no handler for 'paint")
    assert read(tmp_path, "jobs", "retry", "--dead") == {"queued": 1}
    assert run(tmp_path, "worker", "--once", "--retry") == "0 jobs done; left: 1 dead\n"


def test_a_review_is_shown_with_what_came_of_it(tmp_path: Path) -> None:
    with reviewed(tmp_path, says(add(pitfall(), 1), FINISH)) as runtime:
        live(runtime)
        (job,) = runtime.jobs.list(kinds=["review"])
    review = read(tmp_path, "jobs", "show", str(job.id))["review"]
    assert (review["ending"], [item["do"] for item in review["proposed"]]) == ("finished", ["add"])
