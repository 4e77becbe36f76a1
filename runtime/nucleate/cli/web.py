"""`nucleate web`: the page over a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import anyio
import typer

from nucleate.cli import stores
from nucleate.cli.choices import Choices
from nucleate.cli.screen import Screen
from nucleate.errors import InputInvalid
from nucleate.mcp.http import LOOPBACK, listening, read_address, serve_http
from nucleate.settings.settings import Settings

if TYPE_CHECKING:
    from nucleate.web import Site

DEFAULT = "127.0.0.1:8322"
TokenFile = Annotated[
    Path | None,
    typer.Option(help="Tokens, one a line: TOKEN, `change TOKEN` or `look TOKEN`."),
]


def web(
    context: typer.Context,
    http: Annotated[str, typer.Option(help="HOST:PORT; port 0 is any that is free.")] = DEFAULT,
    token_file: TokenFile = None,
    name: Annotated[list[str] | None, typer.Option(help="Another host name by which browsers call it.")] = None,
    look: Annotated[bool, typer.Option("--look", help="The link may look, and change nothing.")] = False,
    work: Annotated[bool, typer.Option("--work", help="Do queued work, too, as `nucleate worker` does.")] = False,
) -> None:
    """Open the page: see the loop, judge the tools, take over.

    A link that works once is printed. Where it listens to other machines, a token opens it instead.
    """
    settings = cast("Choices", context.obj).settings()
    stores.must_exist(settings.database)
    with page(settings, http, names=name or [], token_file=token_file, look=look, work=work) as (_site, serve):
        serve()


@contextmanager
def page(
    settings: Settings,
    http: str,
    *,
    names: list[str],
    token_file: Path | None = None,
    look: bool = False,
    work: bool = False,
) -> Iterator[tuple[Site, Callable[[], None]]]:
    """Listen, say how the page is opened, and yield the site with what serves it until the process is told to end."""
    if find_spec("jinja2") is None or find_spec("pygments") is None:
        raise InputInvalid("the page needs two more packages; install nucleate[web]")
    from nucleate.web import HostNames, Site, WebAccess, WebRole, make_web_app, read_roles

    secret = settings.serve_token
    tokens = read_roles(token_file, secret.get_secret_value() if secret else None)
    address = read_address(http, names)
    here = address.host in LOOPBACK
    if not here and not tokens:
        raise InputInvalid(f"{address.host!r} is open to other machines; give tokens by --token-file")
    role = WebRole.LOOK if look else WebRole.CHANGE
    access = WebAccess({} if here and token_file is None else tokens)
    with listening(address) as (bound, found):
        host = f"[{found.host}]" if ":" in found.host else found.host
        known = [*LOOPBACK[:2], "[::1]", *found.names, *([] if found.host in ("0.0.0.0", "::") else [host])]  # noqa: S104
        site = Site(settings, works=work)
        app = make_web_app(site, access, HostNames(port=found.port, names=known), say=_say)
        key = "" if access.by_token else f"enter?key={access.link_key(role)}"
        _say(f"open http://{host}:{found.port}/{key}")
        try:
            yield site, lambda: anyio.run(serve_http, app, bound)
        finally:
            site.close()


def _say(line: str) -> None:
    Screen(stderr=True).print(line, highlight=False, soft_wrap=True, markup=False)
