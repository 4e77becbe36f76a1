"""Every page shows what the database holds, and changes are the command line's own."""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import nucleate.web
from nucleate import Runtime
from nucleate.web.pages import PAGES
from nucleate_text_memory import FactContent, drafted
from tests.runtime.web.desk import TOOL, desk_settings, learned, token, visiting

ROOM = Path(nucleate.web.__file__).parent
PINNED = {
    "htmx.min.js": "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717",
    "uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
    "uPlot.min.css": "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learned(tmp_path_factory.mktemp("pages") / "desk.db")


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    shutil.copy(made, tmp_path / "desk.db")
    return tmp_path / "desk.db"


@pytest.fixture
def client(place: Path) -> Iterator[TestClient]:
    with visiting(place) as client:
        yield client


def text(client: TestClient, page: str) -> str:
    answer = client.get(page)
    assert answer.status_code == 200, page
    return answer.text


def test_every_page_answers(client: TestClient) -> None:
    entry = re.findall(r'href="/memory/(plan-[^"?/]+)"', text(client, "/memory"))[0]
    run = re.findall(r'href="/runs/([^"?/]+)"', text(client, "/runs"))[0]
    parts = {"name": TOOL, "verb": "pin", "gate": "safety", "rule": "destructive"}
    for page in PAGES:
        if page in ("/begun/{id}", "/refused/{id}", "/jobs/doctor"):
            continue
        id_ = run if page.startswith("/runs") else entry
        names = {**parts, "verb": "invalidate", "id": id_} if "{id}" in page else parts
        names = {**names, "name": "desk"} if page.startswith("/environments") else names
        text(client, page.format(**names))


def test_the_loop_shows_tasks_the_plan_that_filled_and_the_verdict(client: TestClient) -> None:
    page = text(client, "/")
    assert "ed@desk.test says: stuck keys" in page
    assert 'href="/refused/' in page or TOOL in page
    assert "B(p)" in page


def test_a_page_gives_one_part_of_itself_to_whoever_asks_for_it(client: TestClient) -> None:
    part = client.get("/tools?q=ticket", headers={"hx-request": "true", "hx-target": "found"}).text
    assert TOOL in part
    assert "<html" not in part
    assert TOOL not in client.get("/tools?q=nothing", headers={"hx-request": "true", "hx-target": "found"}).text


@pytest.mark.parametrize(
    ("query", "there"),
    [
        ("state=candidate", True), ("state=active", False), ("effect=write", True), ("effect=read", False),
        ("effect=destructive", False), ("use=unused", True), ("use=used", False), ("scope=desk", True),
        ("scope=shop", False), ("health=suspect", False), ("q=open+ticket", True), ("q=ticket+zebra", False),
    ],
)  # fmt: skip
def test_tools_are_filtered(client: TestClient, query: str, there: bool) -> None:
    assert (f'href="/tools/{TOOL}?' in text(client, f"/tools?{query}")) is there


def test_a_change_is_shown_before_it_is_made_and_can_be_taken_back(client: TestClient) -> None:
    form = {"token": token(client, f"/tools/{TOOL}/do/pin"), "why": "it is good", "by": "Ada"}
    seen = client.post(f"/tools/{TOOL}/do/pin", data=form).text
    assert "What would be done" in seen
    assert "Unpin" not in text(client, f"/tools/{TOOL}")
    done = client.post(f"/tools/{TOOL}/do/pin", data={**form, "step": "make"}).text
    assert f'href="/tools/{TOOL}/do/unpin?scope=desk&amp;why=takes+back' in done
    history = text(client, f"/tools/{TOOL}/versions")
    assert "it is good" in history
    assert "Ada" in history


def test_a_change_without_a_reason_is_not_made(client: TestClient) -> None:
    form = {"token": token(client, f"/tools/{TOOL}"), "why": " ", "step": "make"}
    answer = client.post(f"/tools/{TOOL}/do/archive", data=form)
    assert (answer.status_code, "Give a reason" in answer.text) == (422, True)


def test_an_entry_is_corrected_and_its_life_is_drawn(place: Path) -> None:
    with Runtime(settings=desk_settings(place)) as runtime:
        fact = drafted(FactContent(subject="desk", predicate="opens", value="at 9"), scope="desk", source="user")
        old = runtime.memory.add(fact, by="Ada", why="told")
    with visiting(place) as client:
        form = {"token": token(client, f"/memory/{old.id}/do/revise"), "why": "it moved", "by": "Bo",
                "field.subject": "desk", "field.predicate": "opens", "field.value": "at 8"}  # fmt: skip
        page = client.post(f"/memory/{old.id}/do/revise", data=form).text
        assert "at 8" in page
        assert page.count('class="known') == 2
        assert "Replaced by" in text(client, f"/memory/{old.id}")
        assert "desk: opens" in text(client, "/memory/as-of?scope=desk")


def test_a_job_is_retried(place: Path) -> None:
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE job SET state = 'dead', error = 'it broke' WHERE id = 1")
    with visiting(place) as client:
        page = text(client, "/jobs")
        assert "it broke" in page
        page = client.post("/jobs/retry", data={"token": token(client, "/jobs"), "number": "1"}).text
        assert "Job 1 is queued" in page


def test_two_servers_on_one_library_see_each_other(place: Path) -> None:
    with visiting(place) as one, visiting(place) as other:
        form = {"token": token(one, f"/tools/{TOOL}"), "why": "done with", "step": "make"}
        one.post(f"/tools/{TOOL}/do/archive", data=form)
        assert "archived" in text(other, f"/tools/{TOOL}")


def test_while_another_writes_pages_are_read_and_say_why_nothing_changes(place: Path) -> None:
    writer = sqlite3.connect(place, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    with visiting(place) as client:
        page = text(client, f"/tools/{TOOL}")
        assert "somebody else has the database for writing" in page
        assert "/do/pin" not in page
        writer.execute("ROLLBACK")
        assert "/do/pin" in text(client, f"/tools/{TOOL}")
    writer.close()


def test_a_newer_database_is_shown_and_not_changed(place: Path) -> None:
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with visiting(place) as client:
        assert "of a newer nucleate" in text(client, "/tools")
        assert TOOL in text(client, f"/tools/{TOOL}")
        form = {"token": token(client, "/"), "why": "no", "step": "make"}
        answer = client.post(f"/tools/{TOOL}/do/pin", data=form)
        assert (answer.status_code, "nothing was changed" in answer.text) == (409, True)


def test_what_cannot_be_found_is_said(client: TestClient) -> None:
    for page in ("/tools/nothing", "/memory/fact-0", "/runs/task-0", "/refused/99", "/rules/a/b", "/x", "/begun/0"):
        assert client.get(page).status_code == 404


@pytest.mark.parametrize(("name", "pinned"), PINNED.items())
def test_what_is_vendored_is_what_was_pinned(name: str, pinned: str) -> None:
    file = ROOM / "static" / "vendor" / name
    assert hashlib.sha256(file.read_bytes()).hexdigest() == pinned
    assert (file.parent / f"{name.partition('.')[0]}.LICENSE").exists()


def test_our_own_style_and_script_are_short_and_nothing_is_inline() -> None:
    for name in ("page.css", "page.js"):
        assert len((ROOM / "static" / name).read_text().splitlines()) < 600
    for template in (ROOM / "templates").iterdir():
        source = template.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|https?://", source), template.name


def test_the_first_page_weighs_little(client: TestClient) -> None:
    page = client.get("/", headers={"accept-encoding": "gzip"})
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
    sizes = [
        int(client.get(file, headers={"accept-encoding": "gzip"}).headers["content-length"]) for file in set(files)
    ]
    assert int(page.headers["content-length"]) + sum(sizes) < 150_000
