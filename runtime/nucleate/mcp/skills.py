"""Skills as resources: the page of each tool that is served, for hosts that read instructions before they act."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from nucleate.exports.modules import Closed
from nucleate.exports.skill_files import served_skill, skill_names
from nucleate.mcp.catalogue import CatalogueReader, Served
from nucleate.mcp.checking import near
from nucleate.mcp.listing import short
from nucleate_tool_library import ToolLibrary

SCHEME, PAGE = "skill://", "/SKILL.md"
MARKDOWN = "text/markdown"
A_PAGE = 100


class Skills:
    """`skill://NAME/SKILL.md` for every tool that can be called here."""

    def __init__(self, library: ToolLibrary, shelf: CatalogueReader) -> None:
        self._library = library
        self._shelf = shelf

    def listed(self, cursor: str | None) -> ListResourcesResult:
        """Return a page of the skills, by name; the cursor is the name of the last one."""
        skills = self._skills()
        names = [name for name in sorted(skills) if cursor is None or name > cursor]
        shown = [_resource(name, skills[name]) for name in names[:A_PAGE]]
        return ListResourcesResult(resources=shown, next_cursor=names[A_PAGE - 1] if len(names) > A_PAGE else None)

    def templates(self) -> ListResourceTemplatesResult:
        """Return how a skill's address is made."""
        template = ResourceTemplate(
            name="skill",
            uri_template=f"{SCHEME}{{name}}{PAGE}",
            description="What a tool does, when to use it, and how it is called.",
            mime_type=MARKDOWN,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    def has(self, uri: str) -> bool:
        """Return whether an address is that of a skill, whether there is such a skill or not."""
        return uri.startswith(SCHEME)

    def read(self, uri: str) -> ReadResourceResult:
        """Return the page of a skill; MCPError names the nearest ones where there is none."""
        skills = self._skills()
        name = uri.removeprefix(SCHEME).removesuffix(PAGE)
        if name not in skills or uri != _address(name):
            said = f"; did you mean {' or '.join(map(_address, found))}?" if (found := near(name, list(skills))) else ""
            raise MCPError(code=INVALID_PARAMS, message=f"there is no resource {uri[:200]!r}{said}", data={"uri": uri})
        served = skills[name]
        closure = self._library.close([served.tool.version.id])
        item = Closed(tool=replace(served.tool, name=served.name), closure=closure)
        text = served_skill(item, name, served.environment.functions)
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)])

    def _skills(self) -> Mapping[str, Served]:
        sound = list(self._shelf.now().sound)
        return dict(zip(skill_names([item.tool for item in sound]), sound, strict=True))


def _resource(name: str, served: Served) -> Resource:
    return Resource(
        name=name, uri=_address(name), description=short(served.tool.version.signature.doc), mime_type=MARKDOWN
    )


def _address(name: str) -> str:
    return f"{SCHEME}{name}{PAGE}"
