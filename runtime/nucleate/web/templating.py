"""The templates: everything is escaped, everything that somebody else wrote is visible, large values are cut."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from nucleate.shown.visible import visible
from nucleate.web.highlighting import diff_lines, python_lines

CUT = 1_500
MOST = 400_000  # characters of one value that are ever sent
_STACKED = 4  # combining marks upon one letter that are writing; more are a tower


def make_templates(address: Callable[[str], str]) -> Environment:
    """Return the environment that renders pages; `address` says where a static file is."""
    folder = files(__package__).joinpath("templates")
    found = Environment(
        loader=FileSystemLoader(str(folder)),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "when": when,
        "moment": moment,
        "as_json": as_json,
        "exactly": exactly,
        "python": python_lines,
        "diff": diff_lines,
        "number": number,
        "share": share,
        "short": short,
        "path": lambda text: quote(str(text), safe=""),
        "few": few,
        "day": day,
    }
    found.globals |= {"static": address, "link": link, "CUT": CUT, "MOST": MOST}
    return found


def shown(value: Any) -> Any:
    """Return what is put into a page: text as it can be seen, everything else as it is."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _flat(visible(str(value)))


def exactly(text: str) -> Markup:
    """Return a text for a field in which it is edited: as it is, but escaped."""
    return escape(str(text).encode("utf-8", "replace").decode())


def as_json(value: Any, *, indent: int | None = 2) -> str:
    """Return a value as JSON."""
    return json.dumps(value, ensure_ascii=False, indent=indent, default=str)


def when(at: datetime | None) -> Markup | str:
    """Return a moment as a short text, whole in its title; UTC."""
    if at is None:
        return "–"
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    text = at.strftime("%-d %b %H:%M") if at.year == datetime.now(UTC).year else at.strftime("%-d %b %Y")
    whole = at.strftime("%Y-%m-%d %H:%M:%S UTC")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(at.isoformat(), whole, text)


def moment(at: datetime | None) -> str:
    """Return a moment to the second, in UTC; nothing for none."""
    if at is None:
        return ""
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return at.strftime("%Y-%m-%d %H:%M:%S")


def day(seconds: float) -> str:
    """Return the day, in UTC, that begins at so many seconds."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def number(value: float | None) -> str:
    """Return a number as people read it."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"


def share(value: float | None) -> str:
    """Return a share as a percentage."""
    return "–" if value is None else f"{value:.0%}"


def short(text: Any, length: int = 90) -> str:
    """Return the beginning of a text, on one line."""
    line = " ".join(str(text)[: 4 * length].split())
    return line if len(line) <= length else line[: length - 1] + "…"


def few(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def link(path: str, **query: Any) -> str:
    """Return an address with those parts of a query that say something."""
    said = {name: str(value) for name, value in query.items() if value not in (None, "", False)}
    return f"{path}?{urlencode(said, errors='replace')}" if said else path


def rendered(templates: Environment, name: str, values: Mapping[str, Any], *, block: str = "") -> bytes:
    """Return a page, or one block of it."""
    template = templates.get_template(name)
    if block in template.blocks:
        text = "".join(template.blocks[block](template.new_context(dict(values))))
    else:
        text = template.render(values)
    return text.encode("utf-8", "replace")


def _flat(text: str) -> str:
    """Return a text without towers of combining marks, which would climb over the lines around it."""
    if text.isascii():
        return text
    kept, run = list[str](), 0
    for letter in text:
        run = run + 1 if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me") else 0
        if run <= _STACKED:
            kept.append(letter)
    return "".join(kept)
