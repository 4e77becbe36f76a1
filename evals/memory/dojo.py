"""AgentDojo in an environment of its own, made by uv: its ground-truth runs with injections on, as a file."""

from __future__ import annotations

import subprocess
from pathlib import Path

from evals.sandbox.peers.peer import Package, environment

AGENTDOJO = Package(name="AgentDojo", requirements=("agentdojo==0.1.35",), driver="dojo_driver")


def recorded(folder: Path, uv: str) -> Path:
    """Return the file of the runs, made at the first time."""
    file = folder / "agentdojo.jsonl"
    if not file.exists():
        python = environment(AGENTDOJO, folder, uv)
        driver = Path(__file__).with_name("dojo_driver.py")
        part = file.with_suffix(".part")
        subprocess.run([str(python), str(driver), str(part)], check=True, stderr=subprocess.DEVNULL)
        part.rename(file)
    return file
