"""Measure the page over a large library: first contentful paint, searches, weight, every page.

python -m evals.web [--tools N] [--entries N] [--json FILE]
"""

from __future__ import annotations

import argparse
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn
from playwright.sync_api import sync_playwright
from rich.console import Console

from evals.report import Report, print_table, write_json
from evals.web.filling import fill
from nucleate import Settings
from nucleate.web import HostNames, Site, WebAccess, make_web_app
from nucleate.web.gatekeeping import WebLimits
from nucleate_sandbox import Json

TIMES = 20
PAINT_MS, SEARCH_MS, WEIGHT_BYTES = 200.0, 50.0, 150_000
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]  # fmt: skip
PAGES = (
    "/",
    "/tools",
    "/tools?effect=destructive",
    "/tools?order=uses",
    "/tools/TOOL",
    "/tools/TOOL/evidence",
    "/refused",
    "/memory",
    "/memory/as-of?scope=shop&known=40",
    "/runs",
    "/jobs",
    "/environments/shop",
)
SEARCHES = ("/tools?q=refund+order", "/tools?q=e", "/memory?q=refund+order", "/memory?q=e", "/runs?q=refund")
PAINT = "performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)[0]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the evaluation; the exit code is 1 where a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m evals.web", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", type=int, default=10_000)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "large.db"
        fill(place, tools=chosen.tools, entries=chosen.entries, tasks=20_000, jobs=20_000)
        with _served(place) as (home, keys):
            painted = _painted(home, keys[0])
            searched, weight = _asked(home, keys[1])
    _show(painted, searched, weight)
    figures: dict[str, Json] = {f"paint ms {page}": value for page, value in painted.items()}
    figures |= {f"search ms {page}": value for page, value in searched.items()} | {"first page bytes": weight}
    if chosen.json is not None:
        write_json(Report(name="web", figures=figures, rows=[]), chosen.json)
    met = max(painted.values()) < PAINT_MS and max(searched.values()) < SEARCH_MS and weight < WEIGHT_BYTES
    return 0 if met else 1


def _painted(home: str, key: str) -> dict[str, float]:
    """Return the median first contentful paint of each page, in milliseconds."""
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        page = browser.new_page()
        page.goto(f"{home}/enter?key={key}")
        tool = page.goto(f"{home}/tools") and page.locator("h2 a").first.get_attribute("href")
        for place in PAGES:
            name, _, query = (tool or "").partition("?")
            address = f"{place.replace('/tools/TOOL', name)}?{query}" if "TOOL" in place else place
            times = []
            for _ in range(TIMES):
                page.goto(home + address)
                while not (paint := page.evaluate(PAINT)):
                    page.wait_for_timeout(5)
                times.append(float(paint))
            found[place] = round(statistics.median(times), 1)
        browser.close()
    return found


def _asked(home: str, key: str) -> tuple[dict[str, float], int]:
    """Return the median time of each search, from question to whole answer, and the compressed weight of the loop."""
    with httpx.Client(base_url=home, follow_redirects=True) as client:
        client.get(f"/enter?key={key}")
        part, found = {"hx-request": "true", "hx-target": "found"}, {}
        for place in SEARCHES:
            times = []
            for _ in range(TIMES):
                began = time.perf_counter()
                client.get(place, headers=part).raise_for_status()
                times.append((time.perf_counter() - began) * 1000)
            found[place] = round(statistics.median(times), 1)
        files = ["/", "/static/page.css", "/static/page.js", "/static/mark.svg", "/static/vendor/htmx.min.js",
                 "/static/vendor/uPlot.iife.min.js", "/static/vendor/uPlot.min.css"]  # fmt: skip
        weight = sum(_bytes(client, file) for file in files)
    return found, weight


def _bytes(client: httpx.Client, place: str) -> int:
    with client.stream("GET", place, headers={"accept-encoding": "gzip"}) as answer:
        return sum(len(part) for part in answer.iter_raw())


def _show(painted: dict[str, float], searched: dict[str, float], weight: int) -> None:
    console = Console(width=120)
    print_table("First contentful paint, median of 20, ms", list(painted.items()), console=console)
    print_table("Searches, median of 20, ms", list(searched.items()), console=console)
    print_table("First page, compressed", [("bytes", weight)], console=console)


@contextmanager
def _served(place: Path) -> Iterator[tuple[str, list[str]]]:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        port = bound.getsockname()[1]
        site, access = Site(Settings(database=str(place))), WebAccess()
        limits = WebLimits(all=1_000_000, changes=1_000, entering=1_000)
        app = make_web_app(site, access, HostNames(port=port, names=["127.0.0.1"]), limits=limits)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{port}", [access.link_key(), access.link_key()]
        finally:
            server.should_exit = True
            thread.join()
            site.close()


if __name__ == "__main__":
    sys.exit(main())
