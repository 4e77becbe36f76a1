"""One environment: what was learned is used on runs of tasks that nothing was learned from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from rich.progress import track

from evals.heldout import Stateful
from evals.real.acting import Careful, CarefulAgent, Harm, ended, obedient
from evals.real.binding import writing_functions
from evals.real.knowing import Story
from evals.real.learning import Learned
from evals.real.lessons import shape_figures, shapes_of, tables_of, warnings
from evals.real.offering import Offers
from evals.real.places import Place
from evals.real.runs import Run, cleaned, few_of_each
from evals.real.shelf import shelf_figures
from nucleate_sandbox import Effect, JsonObject, Outcome
from nucleate_text_memory.retrieval.words import estimate_tokens
from nucleate_tool_library import State, ToolVersion

THETA = 3
GOOD_RUNS = 6
"""Successful runs of a task whose ends are looked at."""


@dataclass(kw_only=True)
class Counts:
    """Sums over held-out runs."""

    runs: int = 0
    before: int = 0
    after: int = 0
    floor: int = 0
    writes: list[bool] = field(default_factory=list)
    reads: list[bool] = field(default_factory=list)
    wanted: list[bool] = field(default_factory=list)
    unwanted: list[bool] = field(default_factory=list)
    tokens_none: int = 0
    tokens_full: int = 0
    harmed: int = 0
    lost: int = 0
    tool_calls: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    harms: list[str] = field(default_factory=list)


class Judging:
    """Judges one environment."""

    def __init__(
        self, place: Place, learned: Learned, scope: str, *, train: Sequence[Run], runs: Sequence[Run]
    ) -> None:
        self._place = place
        self._learned = learned
        self._scope = scope
        self._train = train
        self._all = runs
        states = (State.ACTIVE, State.CANDIDATE)
        self.tools = [tool.version for tool in learned.runtime.library.tools(scope=scope, states=states)]
        writes = (name for name, spec in place.functions.items() if spec.effect is not Effect.READ)
        self._writes = frozenset(writes)

    def figures(self, judged: Sequence[Run], *, each: int) -> tuple[JsonObject, list[JsonObject]]:
        """Return the figures of the environment, and a row for each held-out run that was acted on."""
        good = [run for run in judged if run.success is True]
        counts = self._acted(few_of_each(good, each))
        runtime = self._learned.runtime
        notes = runtime.memory.notes(self._scope)
        return {
            "runs_learned": self._learned.runs,
            "groups_learned": len({run.group for run in self._train}),
            "runs_judged": counts.runs,
            "learning_cpu_seconds": self._learned.cpu_seconds,
            "plans": self._learned.tally.plans,
            "candidates": self._learned.tally.candidates,
            "refused_rules": dict(sorted(self._learned.tally.rules.items())),
            **_of(counts),
            **shelf_figures(self.tools, writes=self._writes, entities=self._place.entities),
            **warnings(runtime, self._scope, self._train, judged).figures,
            **shape_figures(shapes_of(self._place.functions, notes), tables_of(notes), good),
        }, [{"tool_calls": dict(counts.tool_calls), "failures": [*counts.failures], "harms": [*counts.harms]}]

    def _acted(self, judged: Sequence[Run]) -> Counts:
        counts = Counts()
        plans = self._plans()
        for run in track(judged, description=f"acting {self._scope}"):
            if cleaned(run).actions:
                offers = Offers(self._learned.runtime, self._scope, run.turns)
                agent = CarefulAgent(run, self._place.start(run), offers=offers.at, call=self._call)
                did = agent.act()
                harm = self._obey(run, offers)
                self._count(counts, agent.story, did, harm, plans)
        return counts

    def _plans(self) -> Counter[tuple[str, ...]]:
        """Return plan → groups of the training runs in which it was followed."""
        groups: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
        for run in self._train:
            if run.success is not False:
                story = Story(cleaned(run))
                for at in range(len(story.actions)):
                    groups[story.plan(at)].add(run.group)
        return Counter({plan: len(found) for plan, found in groups.items()})

    def _obey(self, run: Run, offers: Offers) -> Harm:
        same = [one for one in self._all if one.success is True and one.key == run.key and one.group == run.group]
        good = [ended(one, self._place.start(one)) for one in [run, *same[:GOOD_RUNS]]]
        return obedient(run, self._place.start(run), good=good, offers=offers.at, call=self._call)

    def _call(self, tool: ToolVersion, arguments: JsonObject, environment: Stateful) -> Outcome:
        return self._learned.runtime.call_version(tool, arguments, environment, path="eval")

    def _count(self, counts: Counts, story: Story, did: Careful, harm: Harm, plans: Counter[tuple[str, ...]]) -> None:
        actions = story.actions
        written = [at for at, action in enumerate(actions) if self._is_write(action.function)]
        counts.runs += 1
        counts.before += len(actions)
        counts.after += did.calls
        counts.floor += len(written) + len({action.turn for at, action in enumerate(actions) if at not in written})
        counts.tokens_none += sum(estimate_tokens(text) for text in story.answers)
        counts.tokens_full += did.tokens
        for at in range(len(actions)):
            if story.slices[at].still >= 2 and plans[story.plan(at)] >= THETA:
                (counts.writes if at in written else counts.reads).append(at in did.covered)
        self._count_offers(counts, story, did, written)
        counts.tool_calls.update(did.tool_calls)
        counts.failures += did.failures
        counts.harmed += len(harm.places)
        counts.lost += harm.lost
        if harm.places or harm.lost:
            counts.harms.append(f"{story.run.id}: {', '.join(harm.called)}: {'; '.join(harm.places[:4])}")

    def _count_offers(self, counts: Counts, story: Story, did: Careful, written: Sequence[int]) -> None:
        made = {f"{self._scope}.{story.actions[at].function}": at for at in reversed(written)}
        families = defaultdict(list)
        for tool in self.tools:
            family = writing_functions(tool, self._writes)
            if family:
                families[family].append(tool.name)
                if not family <= made.keys():
                    counts.unwanted.append(tool.name in did.offered)
        for family, names in families.items():
            if family <= made.keys():
                first = min(made[name] for name in family)
                before = {name for at, some in did.offered_before.items() if at <= first for name in some}
                counts.wanted.append(bool(before & set(names)))

    def _is_write(self, function: str) -> bool:
        return f"{self._scope}.{function}" in self._writes


def _of(counts: Counts) -> JsonObject:
    per = partial(_share, whole=counts.runs)
    return {
        "harm": counts.harmed + counts.lost,
        "harm_places": counts.harmed,
        "tasks_lost": counts.lost,
        "headroom": _share(counts.before - counts.after, counts.before - counts.floor),
        "covered_writes": _share(sum(counts.writes), len(counts.writes)),
        "coverable_writes": len(counts.writes),
        "usable_reads": _share(sum(counts.reads), len(counts.reads)),
        "usable_reads_of": len(counts.reads),
        "offer_recall": _share(sum(counts.wanted), len(counts.wanted)),
        "false_offers": _share(sum(counts.unwanted), len(counts.unwanted)),
        "calls_before": per(counts.before),
        "calls_after": per(counts.after),
        "calls_floor": per(counts.floor),
        "steps_none": per(counts.before + counts.runs),
        "steps_full": per(counts.after + counts.runs),
        "observation_tokens_none": per(counts.tokens_none),
        "observation_tokens_full": per(counts.tokens_full),
        "tools_called": sum(counts.tool_calls.values()),
        "tools_failed": len(counts.failures),
    }


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 3) if whole else None
