"""The whole story, by hand in a browser: from tasks to a tool, through an edit and its refusal, to one in service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from nucleate import Runtime, Settings
from nucleate.demo.agent import ScriptedAgent
from nucleate.demo.tasks import task_stream
from nucleate.jobs.rows import JOB
from nucleate.shop import open_shop
from nucleate_sandbox import FunctionError, docker
from nucleate_text_memory import FactContent, SourceSpan, drafted
from tests.runtime.web.browser.conftest import Open

pytestmark = [pytest.mark.browser, pytest.mark.docker, pytest.mark.slow]
TOOL = "create_refund_and_send_mail_for_order"
TASKS = 11  # of the demo: with the last of them the first tool is there


@contextmanager
def working(settings: Settings, sandbox: docker.DockerSandbox) -> Iterator[Runtime]:
    with Runtime(open_shop(), settings=settings.model_copy(update={"worker": "inline"}), sandbox=sandbox) as runtime:
        yield runtime


def work(runtime: Runtime, first: int, last: int) -> None:
    for task in task_stream()[first:last]:
        with runtime.record(task.query, task_id=task.id) as run:
            with suppress(FunctionError):
                ScriptedAgent().solve(task, run)
            run.finish(success=True)


def test_a_tool_is_learned_opened_called_edited_refused_corrected_tried_and_promoted(
    opened: Open, docker_sandbox: docker.DockerSandbox, tmp_path: Path
) -> None:
    settings = Settings(database=str(tmp_path / "story.db"), sandbox="docker")
    with working(settings, docker_sandbox) as runtime:
        work(runtime, 0, 3)
        held = drafted(
            FactContent(subject="shop", predicate="opens", value="at 9"), scope="shop", source="tool:leaflet"
        )
        seen_in = SourceSpan(task_id=task_stream()[0].id, start=0, stop=1)
        entry = runtime.memory.add(replace(held, evidence=(seen_in,)), by="leaflet")
        assert entry.status == "quarantined"
        with opened(settings) as seen:
            page = seen.page
            page.wait_for_selector(".live.on")
            page.wait_for_timeout(1_000)
            assert page.get_by_text("in quarantine").count() == 1

            work(runtime, 3, TASKS)  # a plan fills while somebody looks
            page.wait_for_selector(f"#judging >> text={TOOL}", timeout=20_000)

            page.locator("#judging").get_by_role("link", name=TOOL).click()
            page.get_by_role("link", name="Call", exact=True).click()
            page.get_by_role("button", name="Call", exact=True).click()
            page.wait_for_selector("text=It returned", timeout=60_000)
            assert "payment" in page.locator("#v-value").inner_text()

            seen.go(f"/tools/{TOOL}/edit?scope=shop")
            source = page.locator("textarea.editor").input_value()
            page.locator("textarea.editor").fill(f"import os\n{source}")
            page.get_by_label("Why").fill("look at the machine")
            page.get_by_role("button", name="Have it judged").click()
            page.wait_for_selector("text=The library is as it was.", timeout=90_000)
            assert page.locator(".gate.refused").count() > 0
            assert "policy/" in page.locator(".finding").first.inner_text()

            page.get_by_role("link", name="Correct it").click()
            better = source.replace('"""Look up', '"""For a refund: look up', 1)
            assert better != source
            page.locator("textarea.editor").fill(better)
            page.get_by_label("Why").fill("say what it is for")
            page.get_by_role("button", name="Have it judged").click()
            page.wait_for_selector("text=beside the version in force", timeout=120_000)

            seen.go(f"/tools/{TOOL}?scope=shop")
            page.get_by_role("link", name="Promote").click()
            page.get_by_label("Why").fill("it reads better")
            page.get_by_role("button", name="Promote").click()
            page.wait_for_selector(f"text=Promote: {TOOL} is active")
            assert "For a refund" in page.locator(".code").inner_text()

            seen.go(f"/memory/{entry.id}")
            page.get_by_role("link", name="Release").click()
            page.get_by_label("Why").fill("the leaflet is ours")
            page.get_by_role("button", name="Release").click()
            page.wait_for_selector("text=Release: done")
            assert page.locator(".head .pill").inner_text() == "active"

            with runtime.jobs.engine.begin() as connection:
                connection.execute(update(JOB).where(JOB.c.id == 1).values(state="dead", error="it broke"))
            seen.go("/jobs").get_by_role("button", name="Retry job 1", exact=True).click()
            page.wait_for_selector("text=Job 1 is queued")
            assert seen.problems == []
