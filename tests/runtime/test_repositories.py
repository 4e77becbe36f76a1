"""A repository's tools are admitted from Python as from the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nucleate import admit_repository
from nucleate_codifier.repository import JudgedTool, JudgingSetup, NoVerdicts
from tests.codifier.repository.files import FILES
from tests.doubles import InProcessSandbox
from tests.runtime.exports.shop_library import written


def test_a_program_is_told_of_each_tool_and_given_the_report(tmp_path: Path) -> None:
    folder = written(tmp_path / "shop")
    bad = FILES["tools/buy_cheapest.py"].replace("shop.order", "shop.ordr")
    (folder / "tools/buy_cheapest.py").write_text(bad, encoding="utf-8")
    told: list[str] = []

    @contextmanager
    def progress(total: int) -> Iterator[Callable[[JudgedTool], None]]:
        told.append(f"{total} tools")
        yield lambda judged: told.append(f"{judged.tool.name} {judged.verdict.decision.value}")

    setup = JudgingSetup(sandbox=InProcessSandbox(), memory=NoVerdicts())
    report = admit_repository([folder], setup, progress=progress)
    assert told == ["2 tools", "cheapest admitted", "buy_cheapest rejected"]
    assert (report.exit_code, len(report.judged)) == (1, 2)
