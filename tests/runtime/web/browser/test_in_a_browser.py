"""Each page in a real browser: in both themes, wide and narrow, by keyboard alone, live, and with hostile values."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from nucleate import Runtime
from nucleate_text_memory import Draft, Kind, Step, Trajectory, Utterance
from tests.runtime.web.browser.conftest import Open
from tests.runtime.web.desk import TOOL, desk_settings

pytestmark = pytest.mark.browser
PARTS = ("", "/evidence", "/verdict", "/graph", "/versions", "/trials", "/uses", "/call", "/edit", "/do/archive")
PAGES = ("/", "/tools", *(f"/tools/{TOOL}{part}" for part in PARTS), "/refused", "/memory", "/memory/as-of", "/runs",
         "/jobs", "/environments", "/environments/desk", "/rules/safety/destructive", "/nowhere")  # fmt: skip
LOOKS = [(1440, "light"), (390, "dark"), (390, "light"), (1440, "dark")]
WIDER = "document.documentElement.scrollWidth > innerWidth"
LONG = "x" * 5_000
HOSTILE = (
    "<script>window.hit=1</script>", "<img src=x onerror='window.hit=1'>", '"><svg onload=window.hit=1>',
    "' onmouseover='window.hit=1' x='", "javascript:window.hit=1", "{{ 7 * 7 }}{% for a in b %}", "</textarea><script>window.hit=1</script>",
    "</title></style></script><b>bold</b>", "<iframe srcdoc='<script>parent.hit=1</script>'>", "&lt;script&gt;", "<!--", "]]>",
    "evil\u202etxt.exe", "\u2066hidden\u2069", "zero\u200bwidth", "\x1b[31mred\x1b[0m", "null\x00byte", "\u0085\u2028",
    "o" + "\u0301" * 400, "\U000e0041\U000e0042", "\ud800 alone", "مرحبا بالعالم", "日本語のとても長い文章" * 40, LONG, "a b " * 2_000, "\n" * 300,
)  # fmt: skip


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_page_fits_asks_no_other_host_and_has_nothing_serious(
    opened: Open, axe: str, desk_database: Path, width: int, theme: str
) -> None:
    serious: list[str] = []
    with opened(desk_settings(desk_database), width=width, theme=theme) as seen:
        for place in PAGES:
            page = seen.go(place)
            assert not page.evaluate(WIDER), place
            page.evaluate(axe)
            found = page.evaluate(
                "axe.run().then(found => found.violations.map(v => [v.impact, v.id, v.nodes[0].html]))"
            )
            serious += [f"{place}: {item}" for item in found if item[0] in ("serious", "critical")]
        assert serious == []
        assert [text for text in seen.problems if "404" not in text] == []
        assert seen.asked == {seen.home.removeprefix("http://")}


def test_hostile_values_are_text_and_stay_in_their_place(opened: Open, tmp_path: Path) -> None:
    settings = desk_settings(tmp_path / "hostile.db")
    with Runtime(settings=settings) as runtime:
        for number, value in enumerate(HOSTILE):
            steps = (Step(function="desk.find", arguments={"text": value, value[:80]: 1}, result=[value]),)
            words = value.encode("utf-8", "replace").decode()  # half a pair cannot be stored but in a result
            said = (Utterance(text=words, at=0),)
            runtime.memory.store(
                Trajectory(task_id=f"t-{number}", query=words, environment="desk", steps=steps, said=said, success=True)
            )
            kind = (Kind.PITFALL, Kind.FACT)[number % 2]
            draft = Draft(
                kind=kind,
                scope="desk",
                title=f"{number} {words[:900]}",
                body=f"{number} {words[:7_000]}",
                source="user",
                signature=(str(number),),
            )
            runtime.memory.add(draft, by=words[:60], why="told")
    with opened(settings, width=390) as seen:
        listed = (
            seen.go("/memory?status=all")
            .locator(".entry .title a")
            .evaluate_all("all => all.map(a => a.getAttribute('href'))")
        )
        places = [
            "/",
            "/runs",
            "/memory?status=all",
            "/memory/as-of?scope=desk",
            *(f"/runs/t-{n}" for n in range(len(HOSTILE))),
        ]
        for place in [*places, *listed, *(f"{place}/do/revise" for place in listed[:6])]:
            page = seen.go(place)
            assert page.evaluate("window.hit") is None, place
            assert not page.evaluate(WIDER), place
            assert page.locator("main b:text('bold')").count() == 0
        assert "\\u202e" in seen.go("/runs/t-12").content()
        assert seen.problems == []


def test_a_large_value_is_cut_and_shown_whole_when_that_is_asked_for(opened: Open, tmp_path: Path) -> None:
    settings = desk_settings(tmp_path / "large.db")
    with Runtime(settings=settings) as runtime:
        steps = (Step(function="desk.find", arguments={}, result={"text": "y" * 20_000}),)
        runtime.memory.store(Trajectory(task_id="t", query="large", environment="desk", steps=steps))
    with opened(settings) as seen:
        page = seen.go("/runs/t")
        value = page.locator("#v-r0")
        assert len(value.inner_text()) < 2_000
        value.get_by_text("Show all").click()
        page.wait_for_function("document.querySelector('#v-r0 pre').innerText.length > 20000")
        assert page.url.endswith("/runs/t")


def test_what_another_process_records_arrives_without_a_reload(
    opened: Open, desk_database: Path, tmp_path: Path
) -> None:
    place = Path(shutil.copy(desk_database, tmp_path / "live.db"))
    with opened(desk_settings(place)) as seen:
        page = seen.page
        page.wait_for_selector(".live.on")
        page.wait_for_timeout(1_000)
        with Runtime(settings=desk_settings(place)) as runtime:
            steps = (Step(function="desk.find_customer", arguments={"email": "gil@desk.test"}, result={}),)
            runtime.learn(Trajectory(task_id="new", query="Who is gil@desk.test?", environment="desk", steps=steps))
        page.wait_for_selector("text=Who is gil@desk.test?", timeout=8_000)


def test_searching_needs_no_mouse_and_no_button(opened: Open, desk_database: Path) -> None:
    with opened(desk_settings(desk_database)) as seen:
        page = seen.go("/tools")
        page.keyboard.press("/")
        page.keyboard.type("zebra")
        page.wait_for_selector("text=No tool here")
        page.keyboard.press("Control+A")
        page.keyboard.type("ticket")
        page.wait_for_selector(f"text={TOOL}")
        for _ in range(40):
            page.keyboard.press("Tab")
            if TOOL in page.evaluate("document.activeElement.textContent"):
                break
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/tools/{TOOL}**")
        seen.go(f"/tools/{TOOL}/graph").locator("[data-graph] a").first.focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.tagName") == "a"


def test_motion_is_left_out_where_it_is_not_wanted_and_a_theme_stays(opened: Open, desk_database: Path) -> None:
    with opened(desk_settings(desk_database)) as seen:
        page = seen.go("/tools")
        page.emulate_media(reduced_motion="reduce")
        assert page.evaluate("getComputedStyle(document.body).animationName") == "none"
        page.get_by_role("button", name="Theme").click()
        assert json.dumps(seen.go("/memory").evaluate("document.documentElement.dataset.theme")) == '"dark"'
