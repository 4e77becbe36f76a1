"""The memory manager (Metis §3.4): text and tools for a task, chosen jointly, closed, rendered within a budget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nucleate.environments.noted import note_of
from nucleate.manager.asking import ask
from nucleate.manager.choice import Choice, ChosenEntry, ChosenTool
from nucleate.manager.fit import FIT
from nucleate.manager.index import FoundTool, ToolIndex, ToolShelf
from nucleate.manager.moments import Moment, knowable
from nucleate.manager.precedents import KeptPrecedents
from nucleate.manager.rendering import RenderedGuidance, render_entries
from nucleate.manager.worth import worth_telling
from nucleate_codifier.chat import ChatModel
from nucleate_sandbox import Effect, FunctionSpec
from nucleate_text_memory import Entry, Kind, TextMemory
from nucleate_tool_library import Kept, State, ToolLibrary, ToolVersion

FITS = "fits the task"
WANTED = "what it changes is wanted"
UNTRIED = 0.8  # the score of a tool that writes, where no task of its environment is known
TOGETHER = 0.9  # the share of runs from which on one change goes with another
_REACH = 60  # tools that a session loads beside those that it shows
_LONGEST = 2_000  # characters of what the user said that are searched with, the last ones
NO_SHELF = ToolShelf.empty()


@dataclass(frozen=True, kw_only=True)
class SelectionRules:
    """How much is looked at and given; `text` and `code` say which of the two memories is used (ALGORITHMS §2)."""

    entries: int = 8
    tools: int = 8
    tokens: int = 2_000
    text: bool = True
    code: bool = True


class Manager:
    """Chooses from one text memory and one library. Nothing here is written, but for `used`."""

    def __init__(
        self,
        memory: TextMemory,
        library: ToolLibrary,
        index: ToolIndex,
        *,
        rules: SelectionRules = SelectionRules(),
        functions: Callable[[str], Mapping[str, FunctionSpec]] = lambda _scope: {},
    ) -> None:
        self._memory = memory
        self._library = library
        self._index = index
        self._rules = rules
        self._functions = functions
        self._precedents = KeptPrecedents(memory, index.embedded)
        self._shelves: Kept[tuple[str, tuple[State, ...]], ToolShelf] = Kept(library, self._read)

    def choose(
        self, query: str, *, scope: str, states: Sequence[State] = (State.ACTIVE,), model: ChatModel | None = None
    ) -> Choice:
        """Return what a task is given: by a model's joint choice, or without one what scores above the threshold."""
        entries = self.entries(query, scope=scope) if self._rules.text else ()
        shelf = self._shelf(scope, states) if self._rules.code else NO_SHELF
        tools = self._candidates(query, shelf, entries)
        if model is None or not (entries or tools):
            return self._by_scores(query, shelf, entries, scope)
        answer = ask(model, query, entries, tools, writes=self._writes(scope))
        if answer.picks is None:
            return replace(self._by_scores(query, shelf, entries, scope), replies=answer.replies)
        entries, tools = _picked(answer.picks, entries, tools)
        return replace(self._closed(entries, tools, scope), by=model.name, replies=answer.replies)

    def _by_scores(self, query: str, shelf: ToolShelf, entries: Sequence[ChosenEntry], scope: str) -> Choice:
        """Choose what scores above the thresholds."""
        fitting = self._fitting(Moment(said=(query,)), scope, shelf)
        scored = [item for item in entries if item.score >= _bound(item)]
        chosen = worth_telling(scored, wanted=fitting.wanted, shown=lambda name: self._shown(scope, name))
        tools = self._candidates(query, shelf, chosen)
        return self._closed(chosen, [ranked for item in tools if (ranked := fitting.may(item)) is not None], scope)

    def offers(
        self,
        said: Sequence[str],
        answers: Sequence[str] = (),
        *,
        scope: str,
        states: Sequence[State] = (State.ACTIVE,),
    ) -> tuple[ChosenTool, ...]:
        """Return the tools that fit now, best first, after all that the user said and calls answered so far.

        A tool whose arguments stand nowhere yet is left out; it may be offered after a later step.
        """
        if not self._rules.code or not said:
            return ()
        shelf = self._shelf(scope, states)
        fitting = self._fitting(Moment(said=tuple(said), answers=tuple(answers)), scope, shelf)
        found = shelf.search("\n".join(said)[-_LONGEST:], limit=len(shelf.versions))
        ranked = [ChosenTool(version=item.version, score=item.score, reason=FITS) for item in found]
        fits = [now for item in ranked if (now := fitting.now(item)) is not None]
        return tuple(sorted(fits, key=lambda item: -item.score)[: self._rules.tools])

    def within_reach(self, scope: str, states: Sequence[State]) -> tuple[ToolVersion, ...]:
        """Return the tools that a later step may offer, closed under their calls: none where there are too many."""
        versions = self._shelf(scope, states).versions if self._rules.code else ()
        if not 0 < len(versions) <= _REACH:
            return ()
        return self._library.close([version.id for version in versions])

    def _fitting(self, moment: Moment, scope: str, shelf: ToolShelf) -> _Fitting:
        """Return what may be offered; what is wanted is worked out where anything learned could change something."""
        writes = self._writes(scope)
        if not writes:
            return _Fitting(moment)
        tools = {version.name: frozenset(version.capabilities) for version in shelf.versions}
        precedents = self._precedents.of(scope, tools)
        found, agreed = precedents.features(moment, writes), precedents.agreed(moment.said, writes)
        wanted = {name: 1.0 if name in agreed else FIT.chance_wanted(found[name]) for name in writes}
        return _Fitting(moment, wanted, precedents.together, untried=precedents.none)

    def _shown(self, scope: str, function: str) -> str:
        """Return what is shown with a function: its documentation, and what calls have shown of it."""
        spec = self._functions(scope).get(function)
        return f"{spec.doc}\n{note_of(spec, self._memory.notes(scope))}" if spec is not None else ""

    def _writes(self, scope: str) -> frozenset[str]:
        return frozenset(name for name, spec in self._functions(scope).items() if spec.effect is not Effect.READ)

    def entries(self, query: str, *, scope: str, limit: int | None = None) -> tuple[ChosenEntry, ...]:
        """Return the entries of a scope that fit a query best, best first."""
        if scope not in self._memory.scopes():
            return ()
        found = self._memory.select(query, scope=scope, limit=limit or self._rules.entries)
        reasons = (", ".join(reason.primitive for reason in item.reasons) for item in found)
        return tuple(
            ChosenEntry(entry=item.entry, score=item.score, reason=reason)
            for item, reason in zip(found, reasons, strict=True)
        )

    @property
    def tells(self) -> bool:
        """Return whether the text memory is used."""
        return self._rules.text

    def rank(self, query: str, documents: Mapping[str, str]) -> Sequence[tuple[str, float]]:
        """Return (id, score) of every document, best first."""
        return self._memory.rank(query, documents)

    def search_tools(
        self, query: str, *, scope: str, states: Sequence[State] = (State.ACTIVE,), limit: int = 8
    ) -> tuple[FoundTool, ...]:
        """Return the tools that answer a query best, fitting or not: for somebody who looks for one."""
        return self._shelf(scope, states).search(query, limit=limit)

    def used(self, ids: Iterable[str]) -> None:
        """Count that entries were given to an agent: one short transaction."""
        wanted = tuple(dict.fromkeys(ids))
        if wanted:
            self._memory.used(wanted)

    def _shelf(self, scope: str, states: Sequence[State]) -> ToolShelf:
        """Return the usable tools of a scope."""
        return self._shelves.get((scope, tuple(states)))

    def _read(self, usable: tuple[str, tuple[State, ...]]) -> ToolShelf:
        scope, states = usable
        return self._index.shelf([tool.version for tool in self._library.tools(scope=scope, states=states)])

    def _candidates(self, query: str, shelf: ToolShelf, entries: Sequence[ChosenEntry]) -> tuple[ChosenTool, ...]:
        """Return the tools that may be chosen: the best found, and the implementations D(p) of the plans found."""
        brought = self._brought(entries)
        found = shelf.search(query, limit=len(shelf.versions) if brought else self._rules.tools)
        ranked = [
            ChosenTool(version=item.version, score=item.score, reason=brought.get(item.version.name, FITS))
            for item in found
        ]
        return tuple(item for at, item in enumerate(ranked) if at < self._rules.tools or item.reason != FITS)

    def _brought(self, entries: Sequence[ChosenEntry]) -> dict[str, str]:
        """Return D(p) of the plans, each tool with the reason; an old name leads to the tool that has it now."""
        named = [(name, item.entry) for item in entries for name in item.entry.implements]
        now = self._library.aliases(named[0][1].scope) if named else {}
        return {now.get(name, name): f"does {entry.id}: {entry.title}" for name, entry in named}

    def guidance(
        self, entries: Sequence[Entry], *, scope: str, budget: int, tools: Iterable[ToolVersion]
    ) -> RenderedGuidance:
        """Return entries as guidance; a plan says which of its steps are done by these tools, which can be called."""
        does = {version.name: frozenset(version.capabilities) for version in tools}
        return render_entries(entries, budget=budget, does=does, writes=self._writes(scope))

    def _closed(self, entries: Sequence[ChosenEntry], tools: Sequence[ChosenTool], scope: str) -> Choice:
        """Close the tools under their calls (Metis §3.5), and render the entries that fit into the budget."""
        closure = self._library.close([item.version.id for item in tools]) if tools else ()
        told = [item.entry for item in entries]
        guidance = self.guidance(told, scope=scope, budget=self._rules.tokens, tools=closure)
        given = {entry.id for entry in guidance.entries}
        return Choice(
            entries=tuple(item for item in entries if item.entry.id in given),
            tools=tuple(tools),
            closure=closure,
            guidance=guidance.text,
            tokens=guidance.tokens,
        )


def _bound(item: ChosenEntry) -> float:
    return FIT.plan if item.entry.kind is Kind.PLAN else FIT.entry


@dataclass(frozen=True)
class _Fitting:
    """What may be offered at a moment; `wanted` is the chance of each function that changes something."""

    moment: Moment
    wanted: Mapping[str, float] = field(default_factory=dict)
    together: Callable[[str, str], float] = lambda _one, _other: 1.0
    untried: bool = False

    def now(self, item: ChosenTool) -> ChosenTool | None:
        """Return a tool that fits where nothing shows that its arguments are missing."""
        return None if knowable(item.version, self.moment) is False else self.may(item)

    def may(self, item: ChosenTool) -> ChosenTool | None:
        """Return a tool with its score where it fits, whether its arguments are known already or come later.

        One that writes fits where what it changes is wanted, whatever its own words are. Where no task tells what is
        wanted in an environment, as after an import, its own words are all that there is.
        """
        changing = self.wanted.keys() & set(item.version.capabilities)
        if changing and self.untried and item.score >= UNTRIED:
            return item
        if changing:
            chance = round(self._chance(changing), 6)
            reason = WANTED if item.reason == FITS else item.reason
            return replace(item, score=chance, reason=reason) if chance >= FIT.wanted_threshold else None
        bound = FIT.threshold if item.reason == FITS else FIT.threshold / 2
        return item if item.score >= bound or knowable(item.version, self.moment) is True else None

    def _chance(self, changing: Collection[str]) -> float:
        """Return the chance that all changes are wanted: the first one, and those that do not always go with it."""
        first = max(sorted(changing), key=lambda name: self.wanted[name])
        apart = (name for name in changing if self.together(first, name) < TOGETHER)
        return min([self.wanted[first], *(self.wanted[name] for name in apart)])


def _picked(
    picks: Mapping[str, str], entries: Sequence[ChosenEntry], tools: Sequence[ChosenTool]
) -> tuple[tuple[ChosenEntry, ...], tuple[ChosenTool, ...]]:
    """Return what was picked, with the model's reasons."""
    return (
        tuple(replace(item, reason=picks[item.entry.id]) for item in entries if item.entry.id in picks),
        tuple(replace(item, reason=picks[item.version.name]) for item in tools if item.version.name in picks),
    )
