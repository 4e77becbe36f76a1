"""The picture of `nucleate run`: the real command against a server on this machine that speaks OpenAI's protocol.

    python -m evals.loop.picture docs/run.svg

The demo makes a database with tools first. The model behind the server is the one of `python -m evals.loop`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from evals.loop.model import ErringModel
from nucleate.demo.show import run_demo
from nucleate.settings.settings import Settings
from tests.model_server import ModelServer, spoken_by

QUERY = "Order O-20035 arrived with a broken piece. Give back 18.35 euros and let the customer know."
MAIN = "from nucleate.cli import main; main()"


def main(picture: Path) -> int:
    """Write the picture, and return the command's exit code."""
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "demo.db")
        run_demo(Console(quiet=True), Settings(database=database))
        with ModelServer(spoken_by(ErringModel({QUERY: "forgets"}))) as server:
            return _run(["--database", database, "run", QUERY, "--svg", str(picture)], server.url)


def _run(words: list[str], url: str) -> int:
    chosen = {"NUCLEATE_MODEL": "openai/gpt-4o-mini", "NUCLEATE_MODEL_URL": url, "NUCLEATE_MODEL_KEY": "none"}
    # The scripted model knows how to act, not how to choose.
    environment = {**os.environ, **chosen, "NUCLEATE_SELECTION": "scores"}
    return subprocess.run([sys.executable, "-c", MAIN, *words], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/run.svg")))
