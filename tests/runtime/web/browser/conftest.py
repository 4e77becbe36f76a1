"""A browser for the whole run, and servers whose pages it opens."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from nucleate import Settings
from nucleate.web import HostNames, Site, WebAccess, WebRole, make_web_app
from nucleate.web.gatekeeping import WebLimits

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]  # fmt: skip
AXE = "axe-core@4.14.1"


@dataclass
class Opened:
    """A server's pages in a browser; `problems` are errors of its console, `asked` the hosts that were asked."""

    home: str
    site: Site
    context: BrowserContext
    page: Page
    problems: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    def go(self, place: str) -> Page:
        """Open a page of the server."""
        self.page.goto(self.home + place)
        return self.page


Open = Callable[..., AbstractContextManager[Opened]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser, for one module: while Playwright is open, its thread counts as one with a running event loop."""
    if CHROMIUM is None:
        if os.environ.get("NUCLEATE_REQUIRE_BROWSER"):
            pytest.fail("NUCLEATE_REQUIRE_BROWSER is set and chromium is not installed")
        pytest.skip("chromium is not installed; apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the source of axe-core, fetched by npm for this run."""
    folder = tmp_path_factory.mktemp("axe")
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed; axe-core comes from there")
    command = ["npm", "pack", "--silent", AXE]
    fetched = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    if fetched.returncode:
        pytest.skip(f"npm cannot fetch {AXE}: {fetched.stderr.strip()[-200:]}")
    shutil.unpack_archive(next(folder.glob("*.tgz")), folder)
    return (folder / "package" / "axe.min.js").read_text()


@pytest.fixture(scope="module")
def opened(browser: Browser) -> Open:
    """Return what serves a database and opens its first page in the browser, with a session."""

    @contextmanager
    def opening(settings: Settings, *, role: WebRole = WebRole.CHANGE, works: bool = False, width: int = 1440,
                theme: str = "light") -> Iterator[Opened]:  # fmt: skip
        with socket.create_server(("127.0.0.1", 0)) as bound:
            port = bound.getsockname()[1]
            site, access = Site(settings, works=works), WebAccess()
            limits = WebLimits(all=100_000, changes=100_000, entering=100_000)
            app = make_web_app(site, access, HostNames(port=port, names=["127.0.0.1"]), limits=limits)
            server = uvicorn.Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
            thread.start()
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
            page = context.new_page()
            found = Opened(f"http://127.0.0.1:{port}", site, context, page)
            page.on("console", lambda said: found.problems.append(said.text) if said.type == "error" else None)
            page.on("pageerror", lambda error: found.problems.append(str(error)))
            page.on("dialog", lambda dialog: found.problems.append(f"a dialog: {dialog.message}"))
            page.on("request", lambda request: found.asked.add(request.url.split("/")[2]))
            while not server.started:
                time.sleep(0.01)
            found.go(f"/enter?key={access.link_key(role)}")
            try:
                yield found
            finally:
                context.close()
                server.should_exit = True
                thread.join()
                site.close()

    return opening


@pytest.fixture(scope="session")
def desk_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.runtime.web.desk import learned

    return learned(tmp_path_factory.mktemp("browser") / "desk.db")
