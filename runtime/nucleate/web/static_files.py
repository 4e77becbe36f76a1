"""The style, the script and the two vendored libraries: read once, compressed once, named by their hash."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
NAMES = ("page.css", "page.js", "mark.svg", "vendor/htmx.min.js", "vendor/uPlot.iife.min.js", "vendor/uPlot.min.css")
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class StaticFile:
    """One file as it is sent."""

    name: str
    content: bytes

    @cached_property
    def packed(self) -> bytes:
        """Return the content compressed."""
        return gzip.compress(self.content, 9, mtime=0)

    @cached_property
    def address(self) -> str:
        """Return the file's address, another one for each content."""
        return f"/static/{self.name}?v={hashlib.sha256(self.content).hexdigest()[:12]}"


class StaticFiles:
    """The files that pages ask for; no other is ever sent."""

    def __init__(self) -> None:
        folder = files(__package__).joinpath("static")
        self._files = {name: StaticFile(name, folder.joinpath(name).read_bytes()) for name in NAMES}

    def address(self, name: str) -> str:
        """Return where a file is."""
        return self._files[name].address

    async def answer(self, request: Request) -> Response:
        """Send one file."""
        found = self._files.get(request.path_params["name"])
        if found is None:
            return Response("there is no such file\n", status_code=404, media_type="text/plain")
        packs = "gzip" in request.headers.get("accept-encoding", "")
        told = {"cache-control": FOREVER, "vary": "accept-encoding"} | ({"content-encoding": "gzip"} if packs else {})
        content = found.packed if packs else found.content
        return Response(content, headers=told, media_type=KINDS[found.name.rpartition(".")[2]])
