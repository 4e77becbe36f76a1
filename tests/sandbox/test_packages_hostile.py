"""Packages that do harm: at their installation they cannot, inside a container it reaches nobody else."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from nucleate_sandbox import DockerSandbox, Lock, SandboxError, lock
from nucleate_sandbox.docker.images.rootfs import TOOL_PACKAGES

PROGRAM = """
import sys
from nucleate_sandbox import DockerSandbox, Module, lock

source = "import harmful\\ndef tool():\\n    return 1\\n"
plain = Module(name="tool", source="import sys\\ndef tool():\\n    return 'harmful' in sys.modules\\n")
with DockerSandbox() as sandbox, sandbox.open(packages=lock(["harmful==1.0"])) as session, sandbox.open() as other:
    outcomes = [session.call(Module(name="tool", source=source), "tool", {}) for _ in range(2)]
    print([outcome.failure.kind for outcome in outcomes], other.call(plain, "tool", {}).value)
"""
CLEAN = """
import sys
from pathlib import Path
from nucleate_sandbox import lock
from nucleate_sandbox.docker.images.rootfs import assemble_packages

assemble_packages(Path(sys.argv[1]) / "root", lock(["harmful==1.0"]))
"""


def wheel(folder: Path, files: dict[str, str]) -> None:
    """Write the wheel harmful 1.0 with these files."""
    info = "harmful-1.0.dist-info"
    files = files | {
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: harmful\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{name},sha256={_digest(text)},{len(text.encode())}" for name, text in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""])
    with zipfile.ZipFile(folder / "harmful-1.0-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


def run(program: str, wheels: Path, *arguments: str) -> str:
    """Return what a program prints whose uv finds packages in this folder alone."""
    environment = os.environ | {"UV_FIND_LINKS": str(wheels), "UV_NO_INDEX": "1", "UV_NO_CACHE": "1"}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True).stdout.strip()


def test_what_would_run_by_itself_is_not_laid_in(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    wheel(
        tmp_path,
        {
            "harmful/__init__.py": f"open({str(mark)!r}, 'w')\n",
            "harmful/tests/data.pth": "import harmful\n",
            "harmful.pth": "import harmful\n",
            "harmful-1.0.data/scripts/harmful": "#!python\n",
            "harmful-1.0.dist-info/entry_points.txt": "[console_scripts]\nharm = harmful:main\n",
            "sitecustomize.py": "import harmful\n",
            "tests/__init__.py": "",
        },
    )
    run(CLEAN, tmp_path, str(tmp_path))
    place = tmp_path / "root" / TOOL_PACKAGES
    assert not mark.exists()
    assert {path.name for path in place.rglob("*")} & {"harmful.pth", "data.pth", "bin", "harm", ".lock"} == set()
    assert Path(f"{place}.txt").read_text(encoding="utf-8") == "harmful\n"
    assert (place / "harmful" / "__pycache__").is_dir()
    record = (place / "harmful-1.0.dist-info" / "RECORD").read_text(encoding="utf-8")
    assert [line for line in record.splitlines() if ".pth" in line or "bin/" in line] == []
    assert "harmful/__init__.py,sha256=" in record


@pytest.mark.docker
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("import os; os._exit(0)", "ProcessExit"),
        ("raise SystemExit(0)", "SystemExit"),
        ("import os; os.kill(os.getpid(), 9)", "ProcessKilled"),
        ("import socket; socket.create_connection(('192.0.2.1', 80), 5)", "PermissionError"),
        ("open('/usr/local/x', 'w')", "OSError"),
    ],
    ids=["exit", "raise", "kill", "network", "write"],
)
def test_a_package_that_does_harm_when_it_is_imported_harms_its_own_program_alone(
    docker_sandbox: DockerSandbox, tmp_path: Path, code: str, kind: str
) -> None:
    wheel(tmp_path, {"harmful/__init__.py": f"{code}\n"})
    assert run(PROGRAM, tmp_path) == f"{[kind, kind]} False"


@pytest.mark.docker
def test_a_lock_whose_hashes_are_not_those_of_the_files_is_an_outage(docker_sandbox: DockerSandbox) -> None:
    true = lock(["iniconfig==2.0.0"])
    false = Lock(text=re.sub(r"[0-9a-f]{64}", "0" * 64, true.text))
    with pytest.raises(
        SandboxError, match=r"^uv failed \(.*Hash mismatch.*\); see whether the package registry is within reach$"
    ):
        docker_sandbox.open(packages=false)
