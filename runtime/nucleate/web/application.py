"""The application: which address is which page, and what every request goes through."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from jinja2 import Environment
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from nucleate.database import looking
from nucleate.web.entering import Entrance
from nucleate.web.gatekeeping import Gatekeeper, HostNames, WebLimits
from nucleate.web.known_errors import message_of
from nucleate.web.live_changes import Changes
from nucleate.web.pages import CHANGES, PAGES
from nucleate.web.sessions import WebAccess, WebRole, WebSession
from nucleate.web.site import Site
from nucleate.web.static_files import StaticFiles
from nucleate.web.templating import make_templates
from nucleate.web.visit import NothingThere, PageVisit, form_fields

MOST_BYTES = 1_000_000
Page = Callable[[PageVisit], Response]


def make_web_app(
    site: Site,
    access: WebAccess,
    names: HostNames,
    *,
    limits: WebLimits | None = None,
    say: Callable[[str], None] = print,
) -> Starlette:
    """Return the application over one site; `say` tells whoever started the server, as a new link."""
    static, cookie = StaticFiles(), f"nucleate-{names.port}"
    templates = make_templates(static.address)
    entrance = Entrance(access, cookie=cookie, templates=templates, say=say)
    answering = _Answering(site, access, cookie=cookie, templates=templates)
    changes = Changes(site)

    @asynccontextmanager
    async def living(_app: Starlette) -> AsyncIterator[None]:
        threading.Thread(target=site.warm, daemon=True).start()
        async with changes.watching():
            yield

    routes = [
        Route("/static/{name:path}", static.answer),
        Route("/enter", entrance.show, methods=["GET"]),
        Route("/enter", entrance.enter, methods=["POST"]),
        Route("/live", answering.within(changes.stream)),
        *(Route(path, answering.looks(page), methods=["GET"]) for path, page in PAGES.items()),
        *(Route(path, answering.makes(change), methods=["POST"]) for path, change in CHANGES.items()),
        Route("/leave", answering.makes(entrance.leave, role=WebRole.LOOK), methods=["POST"]),
        Route("/{rest:path}", answering.looks(_nowhere)),
    ]
    middleware = [
        Middleware(Gatekeeper, names=names, limits=limits or WebLimits()),
        Middleware(GZipMiddleware, minimum_size=700, compresslevel=6),
    ]
    return Starlette(routes=routes, middleware=middleware, lifespan=living)


class _Answering:
    """Finds the session, and turns pages and changes into what the server calls."""

    def __init__(self, site: Site, access: WebAccess, *, cookie: str, templates: Environment) -> None:
        self._site = site
        self._access = access
        self._cookie = cookie
        self._templates = templates

    def looks(self, page: Page) -> Callable[[Request], Any]:
        """Answer with a page, within a transaction that changes nothing."""

        async def answer(request: Request) -> Response:
            session = self._session(request)
            if session is None:
                return _to_entrance(request)
            visit = self._visit(request, session)
            return await run_in_threadpool(self._look, page, visit)

        return answer

    def makes(self, change: Page, *, role: WebRole = WebRole.CHANGE) -> Callable[[Request], Any]:
        """Make a change, for a session that may, from a form that this server made."""

        async def answer(request: Request) -> Response:
            session = self._session(request)
            if session is None:
                return _to_entrance(request)
            body = await _body(request)
            if body is None:
                return self._problem(self._visit(request, session), 413, "the form is larger than a megabyte")
            visit = self._visit(request, session, form_fields(body))
            if not session.knows(request.headers.get("x-token") or visit.given("token")):
                return self._problem(visit, 403, "this form is of an earlier session; load the page again")
            if role is WebRole.CHANGE and session.role is not WebRole.CHANGE:
                return self._problem(visit, 403, "this session may look, and change nothing")
            return await run_in_threadpool(self._change, change, visit)

        return answer

    def within(self, stream: Callable[[Request], Any]) -> Callable[[Request], Any]:
        """Let a session have a stream."""

        async def answer(request: Request) -> Response:
            if self._session(request) is None:
                return Response(status_code=403)
            found: Response = await stream(request)
            return found

        return answer

    def _look(self, page: Page, visit: PageVisit) -> Response:
        try:
            with looking():
                return page(visit)
        except NothingThere as error:
            return self._problem(visit, 404, str(error))
        except SQLAlchemyError as error:
            return self._problem(visit, 503, f"this cannot be read from the database ({_first_line(error)})")
        except Exception as error:
            if (message := message_of(error)) is None:
                raise
            return self._problem(visit, 404, message)

    def _change(self, change: Page, visit: PageVisit) -> Response:
        why = self._site.standing().why
        if why:
            return self._problem(visit, 409, f"nothing was changed: {why}")
        try:
            with looking():  # what is shown afterwards; a change says for itself that it writes
                return change(visit)
        except SQLAlchemyError as error:
            return self._problem(visit, 503, f"nothing was changed: {_first_line(error)}; try again")
        except Exception as error:
            if (message := message_of(error)) is None:
                raise
            return self._problem(visit, 422, message)

    def _problem(self, visit: PageVisit, status: int, message: str) -> Response:
        return visit.page("problem.html", code=status, message=message, number=status)

    def _session(self, request: Request) -> WebSession | None:
        return self._access.session(request.cookies.get(self._cookie, ""))

    def _visit(self, request: Request, session: WebSession, form: dict[str, list[str]] | None = None) -> PageVisit:
        return PageVisit(request=request, site=self._site, session=session, templates=self._templates, form=form or {})


def _nowhere(_visit: PageVisit) -> Response:
    raise NothingThere("there is no such page")


def _to_entrance(request: Request) -> Response:
    if "hx-request" in request.headers:
        return Response(status_code=401, headers={"hx-redirect": "/enter"})
    return RedirectResponse("/enter", status_code=303)


async def _body(request: Request) -> bytes | None:
    """Return the body of a form; None where it is too large, before it is all read."""
    parts, size = list[bytes](), 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_BYTES:
            return None
        parts.append(part)
    return b"".join(parts)


def _first_line(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]
