"""An edit by a person: judged by every gate on the tool's own evidence, then on trial beside the version in force."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nucleate.errors import InputInvalid
from nucleate.release.admission import Proposal
from nucleate.versions import candidate_of, evidence_of
from nucleate_codifier import Decision, Verdict
from nucleate_tool_library import State, Tool, ToolVersion

if TYPE_CHECKING:
    from nucleate.runtime import Runtime


@dataclass(frozen=True, kw_only=True)
class EditedTool:
    """What became of an edit: its verdict, whether it is on trial or in force, and why it is neither."""

    verdict: Verdict
    on_trial: bool = False
    in_force: bool = False
    why: str = ""


def edit_tool(runtime: Runtime, name: str, source: str, *, scope: str | None = None, by: str, why: str) -> EditedTool:
    """Judge another source for a tool; what is admitted goes on trial beside an active version, else in force.

    The library stays as it is where a gate refuses or nobody can judge.
    """
    if not by.strip() or not why.strip():
        raise InputInvalid(f"by={by!r}, why={why!r}: a person who changes {name!r} is named and says why")
    tool = runtime.library.tool(name, scope)
    if source == tool.version.source:
        raise InputInvalid(f"the source of {name!r} is as it was; change something before it is judged")
    candidate = replace(candidate_of(tool.version), source=source, plan_id=tool.plan_id, template={}, origin={})
    evidence = evidence_of(tool.version)
    verdict = runtime.judge(candidate, evidence)
    admission = runtime.releases.admission
    if verdict.decision is Decision.PROVISIONAL and tool.state is State.ACTIVE:
        admission.tell(candidate, verdict)
        said = "judged without Docker, which puts nothing in the place of an active tool; edit it where Docker is"
        return EditedTool(verdict=verdict, why=said)

    def release(version: ToolVersion, state: State) -> Tool:
        own = replace(version, author=by)
        return runtime.releases.release(own, state=state, plan_id=tool.plan_id, by=by, why=why)

    now = admission.settle(Proposal(candidate=candidate, evidence=evidence, release=release), verdict)
    if now is None:
        return EditedTool(verdict=verdict)
    canary = runtime.releases.canary(now.name, now.scope)
    on_trial = canary is not None and runtime.library.version(canary.version_id).source == source
    return EditedTool(verdict=verdict, on_trial=on_trial, in_force=not on_trial)
