"""Coming in and going out: by a link that works once, or by a token."""

from __future__ import annotations

from collections.abc import Callable

from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from nucleate.web.sessions import HOURS, WebAccess
from nucleate.web.templating import rendered
from nucleate.web.visit import THEMES, PageVisit, form_fields

_MOST = 2_000


class Entrance:
    """The page before all others."""

    def __init__(self, access: WebAccess, *, cookie: str, templates: Environment, say: Callable[[str], None]) -> None:
        self._access = access
        self._cookie = cookie
        self._templates = templates
        self._say = say

    async def show(self, request: Request) -> Response:
        """Open a session for the key in the link, or ask for one."""
        key = request.query_params.get("key", "")
        cookie = self._access.enter(key) if key else None
        if cookie is not None:
            return self._let_in(cookie)
        why = "This link was used already, or belongs to a server that has ended." if key else ""
        return await run_in_threadpool(self._page, request, why)

    async def enter(self, request: Request) -> Response:
        """Open a session for a token, or print a new link for whoever started the server."""
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _MOST:
                return Response("the form is too large\n", status_code=413, media_type="text/plain")
        fields = form_fields(body)
        if "link" in fields and not self._access.by_token:
            self._say(f"open {request.url.scheme}://{request.url.netloc}/enter?key={self._access.link_key()}")
            return self._page(request, "A new link stands where the server was started.", good=True)
        cookie = self._access.enter(fields.get("key", [""])[-1].strip())
        if cookie is not None:
            return self._let_in(cookie)
        return self._page(request, "That opens nothing here.")

    def leave(self, visit: PageVisit) -> Response:
        """End a session."""
        self._access.leave(visit.request.cookies.get(self._cookie, ""))
        answer = RedirectResponse("/enter", status_code=303)
        answer.delete_cookie(self._cookie, path="/")
        return answer

    def _let_in(self, cookie: str) -> Response:
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(self._cookie, cookie, max_age=HOURS * 3600, httponly=True, samesite="strict", path="/")
        return answer

    def _page(self, request: Request, said: str, *, good: bool = False) -> Response:
        theme = request.cookies.get("theme", "")
        values = {"said": said, "good": good, "by_token": self._access.by_token,
                  "theme": theme if theme in THEMES else ""}  # fmt: skip
        status = 200 if good or not said else 403
        return Response(rendered(self._templates, "enter.html", values), status_code=status, media_type="text/html")
