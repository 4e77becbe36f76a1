"""Who comes in, from where, and what a session may do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from nucleate.errors import InputInvalid
from nucleate.web import WebAccess, WebRole, read_roles
from nucleate.web.gatekeeping import WebLimits
from tests.runtime.web.desk import HOME, TOOL, learned, token, visiting


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learned(tmp_path_factory.mktemp("access") / "desk.db")


@pytest.fixture(scope="module")
def client(place: Path) -> Iterator[TestClient]:
    with visiting(place) as client:
        yield client


def test_a_link_opens_one_session_and_no_second() -> None:
    access = WebAccess()
    key = access.link_key()
    assert access.session(access.enter(key) or "") is not None
    assert access.enter(key) is None


def test_a_session_ends_after_its_time_and_when_it_is_left() -> None:
    now = [0.0]
    access = WebAccess(clock=lambda: now[0])
    cookie = access.enter(access.link_key()) or ""
    assert access.session(cookie) is not None
    now[0] = 13 * 3600
    assert access.session(cookie) is None


def test_tokens_have_roles_and_may_not_be_short(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("# ours\nlook 0123456789abcdef\nchange fedcba9876543210\n00112233445566778899\n")
    roles = read_roles(file, None)
    assert roles == {
        "0123456789abcdef": WebRole.LOOK,
        "fedcba9876543210": WebRole.CHANGE,
        "00112233445566778899": WebRole.CHANGE,
    }
    with pytest.raises(InputInvalid, match="can be guessed"):
        WebAccess({"short": WebRole.LOOK})


def test_without_a_session_every_page_leads_to_the_entrance(client: TestClient) -> None:
    stranger = TestClient(client.app, base_url=HOME, follow_redirects=False)
    for page in ("/", "/tools", "/memory", "/runs", "/jobs", "/nowhere"):
        assert stranger.get(page).headers["location"] == "/enter"
    assert stranger.get("/live").status_code == 403


def test_the_cookie_is_for_this_site_and_for_no_script(client: TestClient, place: Path) -> None:
    with visiting(place) as other:
        said = other.cookies
        assert [cookie.name for cookie in said.jar] == ["nucleate-8322"]
    access = WebAccess()
    response = TestClient(client.app, base_url=HOME, follow_redirects=False).get(f"/enter?key={access.link_key()}")
    assert response.status_code == 403
    assert "used already" in response.text


def test_a_name_that_is_not_ours_is_not_answered(client: TestClient) -> None:
    answer = client.get("/", headers={"host": "evil.example:8322"})
    assert (answer.status_code, answer.headers["x-content-type-options"]) == (421, "nosniff")
    assert client.get("/", headers={"host": "127.0.0.1:9999"}).status_code == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://127.0.0.1:9999"])
def test_a_change_from_another_page_is_refused(client: TestClient, origin: str) -> None:
    form = {"token": token(client, f"/tools/{TOOL}"), "why": "no"}
    assert client.post(f"/tools/{TOOL}/do/pin", data=form, headers={"origin": origin}).status_code == 403


def test_a_change_without_the_token_of_a_form_is_refused(client: TestClient, place: Path) -> None:
    for wrong in ("", "a.b", "0.0"):
        assert client.post(f"/tools/{TOOL}/do/pin", data={"token": wrong, "why": "no"}).status_code == 403
    with visiting(place) as other:
        theirs = token(other, f"/tools/{TOOL}")
    assert client.post(f"/tools/{TOOL}/do/pin", data={"token": theirs, "why": "no"}).status_code == 403


def test_who_may_look_sees_every_page_and_changes_nothing(place: Path) -> None:
    with visiting(place, role=WebRole.LOOK) as looker:
        page = looker.get(f"/tools/{TOOL}")
        assert page.status_code == 200
        assert "/do/pin" not in page.text
        form = {"token": token(looker, "/"), "why": "no", "step": "make"}
        answer = looker.post(f"/tools/{TOOL}/do/pin", data=form)
        assert (answer.status_code, "may look" in answer.text) == (403, True)


def test_too_many_changes_within_a_minute_are_refused(place: Path) -> None:
    with visiting(place, limits=WebLimits(all=1_000, changes=3, entering=1_000)) as client:
        codes = [client.post("/jobs/retry", data={"token": "x"}).status_code for _ in range(5)]
    assert codes == [403, 403, 403, 429, 429]


def test_every_answer_carries_the_headers_that_hold_a_browser(client: TestClient) -> None:
    for page in ("/", "/tools", "/static/page.js", "/enter", "/nowhere"):
        headers = client.get(page).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"


def test_a_form_that_is_too_large_is_not_read(client: TestClient) -> None:
    form = {"token": token(client, f"/tools/{TOOL}"), "why": "x" * 1_100_000}
    assert client.post(f"/tools/{TOOL}/do/pin", data=form).status_code == 413
