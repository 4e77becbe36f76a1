"""How a library is: its figures, each tool's reliability and score, what is on trial or suspect, what may be merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nucleate.release.rules import ReleaseRules
from nucleate.services import Services
from nucleate_sandbox import FunctionSpec
from nucleate_tool_library import State, Tool, ToolUse
from nucleate_tool_library.trials.gate_figures import figures
from nucleate_tool_library.trials.release_gate import ReleaseJudgement
from nucleate_tool_library.usage.health import LibraryHealth, library_health
from nucleate_tool_library.usage.scores import SkillParts, skill_score

_RISK = {"read": 0.0, "write": 0.5, "destructive": 1.0}
_OFTEN = 10
_SHORT = 40


@dataclass(frozen=True, kw_only=True)
class ToolHealth:
    """One tool: how often it is used, how far it can be relied on (η), what it is worth, and why it is suspect."""

    name: str
    scope: str
    state: State
    uses: int
    reliability: float
    score: float
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class OnTrial:
    """A version on trial, and what the gate says of it so far."""

    name: str
    scope: str
    version_id: str
    number: int
    judgement: ReleaseJudgement


@dataclass(frozen=True, kw_only=True)
class HealthReport:
    """The whole of it."""

    library: LibraryHealth
    tools: tuple[ToolHealth, ...]
    on_trial: tuple[OnTrial, ...]


class Health:
    """Measures a library from what is stored."""

    def __init__(self, services: Services, rules: ReleaseRules) -> None:
        self._services = services
        self._rules = rules

    def report(self, scope: str | None = None) -> HealthReport:
        """Return how the library (or a scope of it) is now."""
        use = self._services.library.stats(scope)
        known = {(item.scope, item.name): item for item in use.tools}
        tools = self._services.library.tools(scope=scope)
        return HealthReport(
            library=library_health(self._services.library.ages(scope), use),
            tools=tuple(self._tool(tool, known[tool.scope, tool.name]) for tool in tools),
            on_trial=(*self._firsts(tools), *self._canaries(scope)),
        )

    def _tool(self, tool: Tool, use: ToolUse) -> ToolHealth:
        standing = self._services.canaries.standing(tool.name, tool.scope)
        return ToolHealth(
            name=tool.name,
            scope=tool.scope,
            state=tool.state,
            uses=use.uses,
            reliability=use.reliability,
            score=skill_score(self._score(tool, use)),
            why=standing.why if standing is not None else "",
        )

    def _score(self, tool: Tool, use: ToolUse) -> SkillParts:
        found = figures(self._services.trials.of(tool.version.id))
        quality = [share for share in (found.precision, found.recall) if share is not None]
        corrections = self._services.trials.corrections(tool.version.id)
        functions = self._services.scopes.view(tool.scope).functions if self._services.scopes.knows(tool.scope) else {}
        return SkillParts(
            outcome_delta=max(-1.0, min(1.0, found.delta or 0.0)),
            activation_quality=sum(quality) / len(quality) if quality else 0.5,
            process_compliance=1.0 if tool.version.verdict.get("decision") == "admitted" else 0.5,
            feedback=1.0 - min(1.0, corrections / max(1, use.uses)),
            reuse_rate=min(1.0, use.uses / _OFTEN),
            maintainability=min(1.0, _SHORT / max(1, len(tool.version.source.splitlines()))),
            cost_penalty=max(0.0, min(1.0, found.token_overhead or 0.0)),
            safety_risk=_risk(tool, functions),
        )

    def _firsts(self, tools: tuple[Tool, ...]) -> tuple[OnTrial, ...]:
        return tuple(
            OnTrial(
                name=tool.name,
                scope=tool.scope,
                version_id=tool.version.id,
                number=tool.number,
                judgement=self._rules.judgement(tool.version),
            )
            for tool in tools
            if tool.state is State.CANARY
        )

    def _canaries(self, scope: str | None) -> tuple[OnTrial, ...]:
        return tuple(
            OnTrial(
                name=canary.name,
                scope=canary.scope,
                version_id=canary.version_id,
                number=canary.number,
                judgement=self._rules.judgement(self._services.library.version(canary.version_id)),
            )
            for canary in self._services.canaries.all(scope)
        )


def _risk(tool: Tool, functions: Mapping[str, FunctionSpec]) -> float:
    """Return the risk of the worst function that a tool calls; one that nobody knows counts as destructive."""
    effects = [
        functions[name].effect.value if name in functions else "destructive" for name in tool.version.capabilities
    ]
    return max((_RISK[effect] for effect in effects), default=0.0)
