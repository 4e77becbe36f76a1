"""One request as a page sees it: who asks, what was asked for, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from nucleate.web.sessions import Notice, WebRole, WebSession
from nucleate.web.site import Site
from nucleate.web.templating import rendered

THEMES = ("light", "dark")


class NothingThere(Exception):
    """There is no such thing to show."""


@dataclass(frozen=True, kw_only=True)
class PageVisit:
    """A request, its session, and the site that answers."""

    request: Request
    site: Site
    session: WebSession
    templates: Environment
    form: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def asked(self, name: str, default: str = "") -> str:
        """Return a part of the query."""
        return self.request.query_params.get(name, default)

    def count(self, name: str, default: int = 0, *, most: int = 2**31 - 1) -> int:
        """Return a part of the query that is a number; the default for anything else."""
        text = self.asked(name)
        return min(int(text), most) if text.isdecimal() and len(text) < 12 else default

    def part(self, name: str) -> str:
        """Return a part of the path."""
        return str(self.request.path_params[name])

    def given(self, name: str, default: str = "") -> str:
        """Return a field of the form, without blanks around it."""
        return self.raw(name, default).strip()

    def raw(self, name: str, default: str = "") -> str:
        """Return a field of the form as it was typed, lines ended as Python ends them."""
        values = self.form.get(name)
        return values[-1].replace("\r\n", "\n") if values else default

    @property
    def changes(self) -> bool:
        """Return whether this session may change what can be changed now."""
        return self.session.role is WebRole.CHANGE and not self.site.standing().why

    def page(self, template: str, /, *, code: int = 200, **values: Any) -> Response:
        """Return a page, or the one block of it that was asked for."""
        wanted = self.request.headers.get("hx-target", "") if "hx-request" in self.request.headers else ""
        standing = self.site.standing()
        theme = self.request.cookies.get("theme", "")
        common = {
            "session": self.session,
            "standing": standing,
            "changes": self.session.role is WebRole.CHANGE and not standing.why,
            "here": self.request.url.path,
            "query": dict(self.request.query_params),
            "full": self.asked("full"),
            "theme": theme if theme in THEMES else "",
            "notices": [] if wanted else self.session.heard(),
            "database": self.site.settings.database.rpartition("/")[2],
        }
        content = rendered(self.templates, template, {**common, **values}, block=wanted)
        return Response(content, status_code=code, media_type="text/html")

    def back_to(self, place: str, said: str = "", *, good: bool = True, undo: str = "") -> Response:
        """Return to a page after a change, and say there what was done."""
        if said:
            self.session.say(Notice(text=said, good=good, undo=undo))
        return RedirectResponse(place, status_code=303)


def form_fields(body: bytes) -> dict[str, list[str]]:
    """Return the fields of a form."""
    return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=500)
