"""Make the pictures of the page in docs/web/ from the demo's database: python -m scripts.screenshots DATABASE."""

from __future__ import annotations

import io
import shutil
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright

from nucleate import Settings
from nucleate.database import looking
from nucleate.web import HostNames, Site, WebAccess, make_web_app

FOLDER = Path(__file__).parents[1] / "docs" / "web"
WIDTHS, THEMES, HEIGHTS = (1440, 390), ("light", "dark"), {1440: 900, 390: 844}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]  # fmt: skip
QUALITY = 72


def main() -> int:
    """Make every picture."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m scripts.screenshots DATABASE\n")
        return 2
    FOLDER.mkdir(exist_ok=True)
    with _served(Settings(database=sys.argv[1])) as (site, home, key), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        state = None
        for width in WIDTHS:
            for theme in THEMES:
                size = {"width": width, "height": HEIGHTS[width]}
                context = browser.new_context(viewport=size, color_scheme=theme, storage_state=state)  # type: ignore[arg-type]
                page = context.new_page()
                if state is None:
                    page.goto(f"{home}/enter?key={key}")
                    state = context.storage_state()
                with looking():
                    places = _places(site)
                for name, place in places.items():
                    page.goto(home + place)
                    page.wait_for_timeout(500)  # charts are drawn, and the live lamp is lit
                    _save(page.screenshot(), FOLDER / f"{name}-{width}-{theme}.webp")
                context.close()
        browser.close()
    return 0


def _places(site: Site) -> dict[str, str]:
    tool = max(site.library.listing(), key=lambda line: line.uses)
    plan = next(entry for entry in site.memory.entries() if tool.name in entry.implements)
    run = plan.evidence[0].task_id
    at = f"/tools/{tool.name}"
    return {
        "loop": "/", "tools": "/tools", "tool": at, "evidence": f"{at}/evidence", "verdict": f"{at}/verdict",
        "graph": f"{at}/graph", "versions": f"{at}/versions", "trials": f"{at}/trials", "uses": f"{at}/uses",
        "call": f"{at}/call", "edit": f"{at}/edit", "refused": "/refused", "memory": "/memory",
        "entry": f"/memory/{plan.id}", "as-of": "/memory/as-of?scope=shop", "runs": "/runs", "run": f"/runs/{run}",
        "jobs": "/jobs", "environments": "/environments", "environment": "/environments/shop",
    }  # fmt: skip


def _save(picture: bytes, place: Path) -> None:
    Image.open(io.BytesIO(picture)).convert("RGB").save(place, "WEBP", quality=QUALITY, method=6)


@contextmanager
def _served(settings: Settings) -> Iterator[tuple[Site, str, str]]:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        port = bound.getsockname()[1]
        site, access = Site(settings), WebAccess()
        app = make_web_app(site, access, HostNames(port=port, names=["127.0.0.1"]))
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield site, f"http://127.0.0.1:{port}", access.link_key()
        finally:
            server.should_exit = True
            thread.join()
            site.close()


if __name__ == "__main__":
    sys.exit(main())
