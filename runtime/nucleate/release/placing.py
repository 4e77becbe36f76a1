"""Where a version goes that may be used: in force, on trial beside the one that is, or back where it was."""

from __future__ import annotations

from dataclasses import replace

from nucleate import events
from nucleate.environments.schema_hashes import schema_hashes
from nucleate.services import Services
from nucleate_sandbox import JsonObject
from nucleate_tool_library import LibraryError, State, Tool, ToolVersion


class Placing:
    """Puts versions into the library. How a tool's first version begins is a setting: in service on the word of
    admission, or on trial against the plain steps of its plan."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def release(
        self, version: ToolVersion, state: State, *, plan_id: str | None = None, by: str, why: str = ""
    ) -> Tool:
        """Register a version; beside an active one it becomes a canary, and the tool goes on as it is.

        A tool's first version takes the state that it is given, or is on trial where the policy says so. A version
        that no final sandbox judged, and a pinned tool, leave what is active alone: LibraryError.
        """
        version = replace(version, schemas=version.schemas or self.hashes(version))
        standing = self._services.canaries.standing(version.name, version.scope)
        if standing is None and state is State.ACTIVE and self._services.settings.release_policy == "canary":
            state = State.CANARY
        if standing is None or standing.state is not State.ACTIVE or standing.version_id == version.id:
            tool = self._services.library.register(
                version, state=state, plan_id=plan_id, approved_by=by, replace=standing is not None, why=why
            )
            if standing is not None and standing.state is not tool.state:
                self.say(tool, standing.state, by=by, why=why)
            return tool
        _check_offer(version, state, pinned=standing.pinned)
        why = why or f"on trial beside version {standing.version_id[:12]}"
        self._services.canaries.offer(version, plan_id=plan_id, by=by, why=why)
        return self._services.library.tool(version.name, version.scope)

    def put_back(self, tool: Tool, version: ToolVersion, state: State, *, by: str, why: str) -> Tool:
        """Let a suspect tool that was judged again serve as before, with the hashes that it was judged against.

        Where what it calls is another version now, so is the tool.
        """
        if set(version.dependencies) != set(tool.version.dependencies):
            relinked = replace(version, author=tool.version.author, evidence=tool.version.evidence)
            why = f"{why}, with the new versions of what it calls"
            return self.release(relinked, state, plan_id=tool.plan_id, by=by, why=why)
        return self.move(tool, state, by=by, why=why)

    def move(self, tool: Tool, state: State, *, by: str, why: str) -> Tool:
        """Put a tool into another state; what begins to serve rests on the functions as they are now."""
        now = self._services.library.transition(tool.name, tool.scope, to=state, by=by, why=why)
        self._services.schemas.stamp(tool.version.id, self.hashes(tool.version))
        self.say(now, tool.state, by=by, why=why)
        return now

    def say(self, tool: Tool, was: State, *, by: str, why: str) -> None:
        """Tell that a tool is in another state than it was."""
        self._services.listen(
            events.ToolReleased(name=tool.name, scope=tool.scope, was=was, now=tool.state, by=by, why=why)
        )

    def hashes(self, version: ToolVersion) -> JsonObject:
        """Return the hashes of the functions that a version calls, as its environment has them now."""
        scopes = self._services.scopes
        known = scopes.view(version.scope).functions if scopes.knows(version.scope) else {}
        return schema_hashes(known, version.capabilities)


def _check_offer(version: ToolVersion, state: State, *, pinned: bool) -> None:
    if pinned:
        raise LibraryError(f"tool {version.name!r} is pinned; `nucleate tools pin {version.name} --off` frees it")
    if state is not State.ACTIVE:
        raise LibraryError(
            f"a {state.value} version of {version.name!r} cannot be tried beside the active one; judge it with Docker"
        )
