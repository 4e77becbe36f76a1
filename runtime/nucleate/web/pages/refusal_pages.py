"""What was not admitted, by the rule that refused it, with what would make it pass."""

from __future__ import annotations

from starlette.responses import Response

from nucleate.web.reads import entry_rows, verdict_rows
from nucleate.web.visit import NothingThere, PageVisit
from nucleate_codifier import Decision
from nucleate_codifier.rulebook import RULES

NOT_ADMITTED = (Decision.REJECTED.value, Decision.UNJUDGED.value, Decision.PROVISIONAL.value)


def refused(visit: PageVisit) -> Response:
    """Show refusals grouped by rule, the rule that refuses most first."""
    engine = visit.site.engine
    only = [visit.asked("decision")] if visit.asked("decision") in NOT_ADMITTED else list(NOT_ADMITTED)
    lines = verdict_rows.verdicts(engine, limit=verdict_rows.MOST, only=only, scope=visit.asked("scope"))
    again = dict(verdict_rows.refused_again(engine))
    if visit.asked("again"):
        lines = [line for line in lines if line.plan_id in again]
    groups = verdict_rows.by_rule(lines)
    wanted = visit.asked("rule")
    return visit.page(
        "refused.html",
        groups=[group for group in groups if not wanted or group.rule == wanted],
        bare=[line for line in lines if not line.findings],
        rules=RULES,
        counts=verdict_rows.counts(engine),
        again=again,
        wanted=wanted,
        plans=entry_rows.plan_lines(engine, [line.plan_id for line in lines if line.plan_id]),
        cut=len(lines) >= verdict_rows.MOST,
    )


def judgement(visit: PageVisit) -> Response:
    """Show one judgement: the source that was judged, and what every gate said."""
    found = verdict_rows.one(visit.site.engine, int(visit.part("id")) if visit.part("id").isdecimal() else 0)
    if found is None:
        raise NothingThere("there is no such judgement")
    return visit.page(
        "judgement.html",
        line=found,
        source=verdict_rows.source_of(visit.site.engine, found.id) or "",
        rules=RULES,
        plan=entry_rows.plan_lines(visit.site.engine, [found.plan_id]) if found.plan_id else {},
    )


def rule(visit: PageVisit) -> Response:
    """Show one rule: what it refuses, why, how to put it right, and an example."""
    name = f"{visit.part('gate')}/{visit.part('rule')}"
    if name not in RULES:
        raise NothingThere(f"there is no rule {name!r}")
    return visit.page("rule.html", rule=RULES[name])
