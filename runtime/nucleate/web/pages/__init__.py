"""Every page by its address, and every change."""

from collections.abc import Callable, Mapping

from starlette.responses import Response

from nucleate.web.pages import (
    entry_changes,
    entry_pages,
    environment_pages,
    judging_pages,
    loop_page,
    queue_pages,
    refusal_pages,
    run_pages,
    tool_changes,
    tool_pages,
    tool_parts,
    tools_page,
)
from nucleate.web.visit import PageVisit

Page = Callable[[PageVisit], Response]

PAGES: Mapping[str, Page] = {
    "/": loop_page.loop,
    "/tools": tools_page.tools,
    "/tools/{name}": tool_pages.source,
    "/tools/{name}/evidence": tool_pages.evidence,
    "/tools/{name}/verdict": tool_pages.verdict,
    "/tools/{name}/graph": tool_parts.graph,
    "/tools/{name}/versions": tool_parts.versions,
    "/tools/{name}/trials": tool_parts.trials,
    "/tools/{name}/uses": tool_parts.uses,
    "/tools/{name}/call": judging_pages.call_form,
    "/tools/{name}/edit": judging_pages.edit_form,
    "/tools/{name}/do/{verb}": tool_changes.form,
    "/begun/{id}": judging_pages.work,
    "/refused": refusal_pages.refused,
    "/refused/{id}": refusal_pages.judgement,
    "/rules/{gate}/{rule}": refusal_pages.rule,
    "/memory": entry_pages.memory,
    "/memory/as-of": entry_pages.as_of,
    "/memory/{id}": entry_pages.entry,
    "/memory/{id}/do/{verb}": entry_changes.form,
    "/runs": run_pages.runs,
    "/runs/{id}": run_pages.run,
    "/jobs": queue_pages.jobs,
    "/jobs/doctor": queue_pages.doctor,
    "/environments": environment_pages.environments,
    "/environments/{name}": environment_pages.environment,
}

CHANGES: Mapping[str, Page] = {
    "/tools/{name}/call": judging_pages.call,
    "/tools/{name}/edit": judging_pages.edit,
    "/tools/{name}/replay": judging_pages.replay,
    "/tools/{name}/do/{verb}": tool_changes.do,
    "/memory/{id}/do/{verb}": entry_changes.do,
    "/jobs/{verb}": queue_pages.do,
    "/environments/{name}/drift": environment_pages.drift,
}
