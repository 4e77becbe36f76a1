"""Puts the release cycle together for the runtime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine

from nucleate import events
from nucleate.parts import Parts
from nucleate.release.measuring import Measurer
from nucleate.release.parts import ReleaseParts
from nucleate.release.releases import Releases
from nucleate.release.routing import Router
from nucleate.release.serving import Serving
from nucleate.settings import Settings
from nucleate.tools import ToolRunner
from nucleate_tool_library.health import ages, library_health
from nucleate_tool_library.release_gate import ReleasePolicy
from nucleate_tool_library.trials_canaries import Canaries
from nucleate_tool_library.trials_schemas import Schemas
from nucleate_tool_library.trials_store import Trials


@dataclass(frozen=True, kw_only=True)
class ReleaseCycle:
    """The two halves: what serves calls, and what decides about versions."""

    serving: Serving
    releases: Releases
    measurer: Measurer


def release_cycle(
    engine: Engine,
    runner: ToolRunner,
    parts: Parts,
    settings: Settings,
    *,
    listen: events.Listener,
    wake: Callable[[], None],
) -> ReleaseCycle:
    """Return the release cycle over one database."""
    stores = ReleaseParts(
        library=parts.library,
        canaries=Canaries(engine),
        trials=Trials(engine),
        memory=parts.memory,
        verdicts=parts.verdicts,
        jobs=parts.jobs,
        scopes=parts.scopes,
        sandbox=parts.sandbox,
        run=runner.execute,
        schemas=Schemas(engine),
        health=lambda scope, use: library_health(ages(engine, scope=scope, now=datetime.now(UTC)), use),
        policy=parts.policy,
        gate=ReleasePolicy(high_risk=frozenset(settings.high_risk)),
        similar=parts.similar,
        listen=listen,
        wake=wake,
    )
    measurer = Measurer("inline" if settings.worker == "inline" else "thread")
    releases = Releases(stores, measurer, policy=settings.release_policy)
    serving = Serving(
        runner=runner,
        parts=stores,
        router=Router(library=parts.library, share=settings.canary_share),
        rules=releases.rules,
        trying=releases.trying,
        measurer=measurer,
        look=releases.look,
    )
    return ReleaseCycle(serving=serving, releases=releases, measurer=measurer)
