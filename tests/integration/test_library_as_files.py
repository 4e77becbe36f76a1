"""A learned tool leaves the library as files, is edited by hand, and comes back only through every gate, in containers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from uv import find_uv_bin

from nucleate import Runtime, Settings
from nucleate.exporting import export_tools
from nucleate.importing import import_tools
from nucleate_sandbox import DockerSandbox
from nucleate_tool_library import Tool
from tests.integration.desk import Desk, query, solve

pytestmark = [pytest.mark.docker, pytest.mark.slow]


def learned(folder: Path, sandbox: DockerSandbox) -> tuple[Runtime, Tool]:
    """Return a runtime that has learned one tool from five tasks."""
    settings = Settings(database=str(folder / "nucleate.db"), worker="inline")
    runtime = Runtime(Desk(), settings=settings, sandbox=sandbox)
    for index in range(5):
        with runtime.record(query(index), task_id=f"task-{index}") as run:
            solve(run, index)
    (tool,) = runtime.library.tools()
    return runtime, tool


def module(folder: Path, tool: Tool) -> Path:
    return folder / "lib" / "desk" / tool.name / f"{tool.name}.py"


def test_an_edit_by_hand_is_admitted_as_a_new_version(tmp_path: Path, docker_sandbox: DockerSandbox) -> None:
    runtime, tool = learned(tmp_path, docker_sandbox)
    with runtime:
        export_tools(runtime, tmp_path / "lib")
        path = module(tmp_path, tool)
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(tool.version.signature.doc.split(",")[0], "Help a customer", 1), encoding="utf-8")
        report = import_tools(runtime, tmp_path / "lib", by="ada", now=True)
        after = runtime.library.tool(tool.name)
        assert [(item.name, item.change.value, item.release) for item in report.tools] == [
            (tool.name, "changed", "1.0.1")
        ]
        assert after.version.signature.doc.startswith("Help a customer")
        assert (after.version.author, after.version.verdict["decision"]) == ("ada", "admitted")
        assert runtime.library.versions(tool.name)[0] == tool.version
        (offered,) = runtime.tools_for(query(5))
        assert "t-c-fay-16-3" in str(offered(email="fay@desk.test", text="hum"))


def test_a_bad_edit_is_refused_with_its_findings(tmp_path: Path, docker_sandbox: DockerSandbox) -> None:
    runtime, tool = learned(tmp_path, docker_sandbox)
    with runtime:
        export_tools(runtime, tmp_path / "lib")
        path = module(tmp_path, tool)
        lines = [line for line in path.read_text(encoding="utf-8").split("\n") if "env.desk.notify" not in line]
        path.write_text("\n".join(lines).replace("return", "notify = {}\n    return", 1), encoding="utf-8")
        report = import_tools(runtime, tmp_path / "lib", by="ada", now=True)
        (item,) = report.tools
        assert (item.change.value, report.exit_code) == ("refused", 1)
        assert item.verdict is not None
        assert item.verdict.findings
        assert runtime.library.tool(tool.name) == tool


def test_the_package_installs_in_a_clean_environment_and_its_tests_pass(
    tmp_path: Path, docker_sandbox: DockerSandbox
) -> None:
    runtime, tool = learned(tmp_path, docker_sandbox)
    with runtime:
        export_tools(runtime, tmp_path / "package", form="package")
    python = tmp_path / "clean/bin/python"
    uv("venv", str(tmp_path / "clean"))
    uv("pip", "install", "--python", str(python), f"{tmp_path / 'package'}[test]")
    (tmp_path / "package/src").rename(tmp_path / "gone")  # so that the tests import what was installed
    tests = ended(str(python), "-m", "pytest", "-q", "-W", "error", folder=tmp_path / "package")
    assert (tests.returncode, "5 passed" in tests.stdout) == (0, True), tests.stdout + tests.stderr
    called = ended(
        str(python), "-c", f"{DESK}\nprint(desk_tools.{tool.name}(email='a@b.c', text='hum'))", folder=tmp_path
    )
    assert (called.returncode, "T-1" in called.stdout) == (0, True), called.stdout + called.stderr


DESK = """
import desk_tools

class Desk:
    def find_customer(self, email): return {"customer_id": "C-1", "email": email}
    def open_ticket(self, customer_id, text): return {"ticket_id": "T-1", "customer_id": customer_id, "text": text}
    def notify(self, customer_id, ticket_id): return {"status": "sent", "ticket_id": ticket_id}

desk_tools.bind({"desk": Desk()})
"""


def uv(*words: str) -> None:
    done = ended(find_uv_bin(), *words, "--quiet", folder=None)
    assert done.returncode == 0, done.stderr


def ended(*words: str, folder: Path | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", check=False)
