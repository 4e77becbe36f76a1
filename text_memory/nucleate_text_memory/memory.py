"""TextMemory: store what agents did, learn from it, maintain what was learned, and find it again."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, Engine, update

from nucleate_text_memory.embedding.embedders import Embedder, LocalEmbedder
from nucleate_text_memory.entries import entries as rows
from nucleate_text_memory.entries import episodes, exchange, operations, vectors
from nucleate_text_memory.entries.admitting import admit
from nucleate_text_memory.entries.contract import Contract
from nucleate_text_memory.entries.contract import check as check_contract
from nucleate_text_memory.entries.contract import load as load_contract
from nucleate_text_memory.entries.orders import order_in
from nucleate_text_memory.entries.writing import EntryChange, renew
from nucleate_text_memory.identity import pool_key
from nucleate_text_memory.inputs import input_of
from nucleate_text_memory.learning.abstraction import shared_orders
from nucleate_text_memory.learning.induction import inputs_with, occurrence, plan_drafts, skipping, tasks_with
from nucleate_text_memory.learning.lessons import fact_drafts, pitfall_drafts
from nucleate_text_memory.learning.partings import parting_drafts
from nucleate_text_memory.notes import FunctionNotes
from nucleate_text_memory.notes.store import observe_stored
from nucleate_text_memory.notes.store import read as read_notes
from nucleate_text_memory.one_writer import writing
from nucleate_text_memory.open_transaction import OpenTransaction, run_on
from nucleate_text_memory.reading import entry_rows as entries
from nucleate_text_memory.reading.memory_reader import MemoryReader
from nucleate_text_memory.reading.statements import QueryRunner, utc
from nucleate_text_memory.recordings.past_tasks import PastTask, past_tasks
from nucleate_text_memory.recordings.signatures import signatures
from nucleate_text_memory.recordings.trajectories import (
    first_reflection,
    insert_trajectory,
    load,
    load_one,
    stored_calls,
    stored_ids,
)
from nucleate_text_memory.redaction.redact import redact, redact_draft
from nucleate_text_memory.retrieval.ranking import rank
from nucleate_text_memory.scopes import visible
from nucleate_text_memory.tables import ENTRY, now
from nucleate_text_memory.values import (
    Draft,
    Entry,
    Kind,
    Occurrence,
    Reflection,
    Trajectory,
)


class TextMemory(MemoryReader):
    """Trajectories and typed entries in one database. Every method is one transaction, all or nothing.

    The engine is the caller's, and its tables exist. Without an embedder the local model is used, without a contract
    the one in the package; the clock says when something is recorded.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        embedder: Embedder | None = None,
        contract: Contract | None = None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._embedder = embedder or LocalEmbedder()
        super().__init__(self._connected, embedder=lambda: self._embedder, clock=clock)
        self._engine: Engine | OpenTransaction = engine
        self._contract = contract or load_contract()

    def within(self, connection: Connection) -> TextMemory:
        """Return the same memory on a connection: what it changes is part of the transaction that is open there."""
        joined = copy.copy(self)
        joined._engine = OpenTransaction(connection)  # noqa: SLF001 - a copy of this one
        joined._reading = joined._connected  # noqa: SLF001
        return joined

    def check(self, draft: Draft) -> None:
        """Raise ContractRefusal where the contract does not let a draft become an entry."""
        check_contract(self._contract, self._redacted(draft))

    def cleaned(self, trajectory: Trajectory) -> Trajectory:
        """Return a trajectory without its secrets, as it is stored."""
        return redact(trajectory, personal=self._contract.redaction.personal_in_trajectories)

    def store(self, trajectory: Trajectory) -> bool:
        """Store a trajectory without its secrets; False if this very one is stored already."""
        clean = self.cleaned(trajectory)
        with writing(self._engine) as connection:
            new = insert_trajectory(connection, clean)
            if new and episodes.crowded(connection, clean.environment, self._contract.episodes):
                self._compact(connection, clean.environment)
            return new

    def compact(self, scope: str) -> episodes.Compaction:
        """Drop raw runs that nothing needs any more, as the contract says; what was learned from them stays."""
        with writing(self._engine) as connection:
            entries.require_scope(run_on(connection), scope)
            return self._compact(connection, scope)

    def trajectory(self, task_id: str) -> Trajectory:
        """Return the trajectory of a task."""
        with self._engine.begin() as connection:
            return load_one(connection, task_id)

    def trajectories(self, scope: str) -> list[Trajectory]:
        """Return the trajectories of a scope, in the order in which they were stored."""
        with self._engine.begin() as connection:
            entries.require_scope(run_on(connection), scope)
            return load(connection, stored_ids(connection, scope))

    def task_ids(self, scope: str | None = None) -> list[str]:
        """Return the ids of the stored tasks (of one scope), in the order in which they were stored."""
        with self._engine.begin() as connection:
            if scope is not None:
                entries.require_scope(run_on(connection), scope)
            return stored_ids(connection, scope)

    def recorded_calls(self) -> dict[str, set[str]]:
        """Return the ids of the calls in stored sessions of agents, by session: `codex:THREAD`."""
        with self._engine.begin() as connection:
            return stored_calls(connection)

    def reflect(
        self,
        task_id: str,
        *,
        quorum: int = 2,
        docs: Mapping[str, str] | None = None,
        writes: Collection[str] = (),
    ) -> Reflection:
        """Learn from one stored trajectory, and return what it added; a second call returns the same again.

        `docs` maps a function to its documentation, whose first sentence the plans quote; `writes` change something.
        """
        with self._change("reflection", "learned from a run") as change:
            connection = change.connection
            trajectory = load_one(connection, task_id)
            if first_reflection(connection, task_id):
                self._learn(change, trajectory, quorum, docs or {})
                self._admit(change, parting_drafts(connection, trajectory, quorum=quorum, writes=writes))
            added = entries.where(run_on(connection), entries.among("source", [f"task:{task_id}"]))
        return Reflection(
            task_id=task_id,
            plans=tuple(entry for entry in added if entry.kind is Kind.PLAN),
            pitfalls=tuple(entry for entry in added if entry.kind is Kind.PITFALL),
            facts=tuple(entry for entry in added if entry.kind is Kind.FACT),
        )

    def notes(self, scope: str) -> Mapping[str, FunctionNotes]:
        """Return what calls have shown of a scope's functions, by their names."""
        with self._engine.begin() as connection:
            return read_notes(connection, scope)

    def past_tasks(self, scope: str, *, limit: int) -> list[PastTask]:
        """Return what the newest runs of a scope asked for, and what they called; failed runs are left out."""
        with self._engine.begin() as connection:
            return past_tasks(connection, scope, limit=limit)

    def plans_in(self, trajectory: Trajectory) -> list[Entry]:
        """Return the valid plans whose signature occurs in a trajectory: the plans that this task followed."""
        keys = [pool_key(Kind.PLAN, trajectory.environment, signature) for signature in signatures(trajectory)]
        with self._reading() as run:
            return entries.where(run, entries.among("key", keys), entries.in_force(self._clock()))

    def followed(self, trajectory: Trajectory) -> list[tuple[Entry, str]]:
        """Return the valid plans that a trajectory follows, each with the key of its input for that plan."""
        found = {s: input_of(trajectory, [run.steps for run in runs]) for s, runs in signatures(trajectory).items()}
        return [(plan, found[plan.signature]) for plan in self.plans_in(trajectory)]

    def inputs(self, plan_id: str, *, task_ids: Container[str] | None = None) -> list[tuple[str, str]]:
        """Return (task id, key of its input) of the stored tasks (of these) that follow a plan, in the order stored."""
        with self._engine.begin() as connection:
            plan = rows.get(connection, plan_id)
            found = inputs_with(connection, pool_key(plan.kind, plan.scope, plan.signature))
        return [(task, key) for task, key in found if task_ids is None or task in task_ids]

    def occurrences(
        self, plan_id: str, *, task_ids: Container[str] | None = None, until: str | None = None
    ) -> list[Occurrence]:
        """Return the first occurrence of a plan in each stored trajectory (of these, or up to one), in order."""
        with self._engine.begin() as connection:
            plan = rows.get(connection, plan_id)
            tasks = tasks_with(connection, pool_key(plan.kind, plan.scope, plan.signature), until=until)
            found = load(connection, [task for task in tasks if task_ids is None or task in task_ids])
        return [o for o in (occurrence(trajectory, plan.signature) for trajectory in found) if o is not None]

    def skipping(self, plan_id: str, *, limit: int = 12, until: str | None = None) -> list[Occurrence]:
        """Return tasks (up to one) that follow a plan but for one step in between; that step's group is empty."""
        with self._engine.begin() as connection:
            return skipping(connection, rows.get(connection, plan_id), limit=limit, until=until)

    def rank(self, query: str, documents: Mapping[str, str]) -> list[tuple[str, float]]:
        """Return (id, score) of every document, best first, by cosine and BM25 fused."""
        return rank(query, documents, embedder=self._embedder)

    def add(self, draft: Draft, *, by: str = "", why: str = "") -> Entry:
        """Add an entry without its secrets. The same statement again adds its evidence to the entry that is there.

        A fact supersedes another value of the same subject and predicate where their periods overlap. What nobody
        independent vouches for is returned as quarantined: it guides nobody until it is supported or released.
        """
        return self.add_all([draft], by=by, why=why)[0]

    def add_all(self, drafts: Sequence[Draft], *, by: str = "", why: str = "") -> list[Entry]:
        """Add several entries in one transaction, all or none."""
        with self._change(by, why) as change:
            return self._admit(change, drafts)

    def revise(self, id_: str, draft: Draft, *, by: str = "", why: str = "") -> Entry:
        """Put another entry in the place of one that was wrong (Metis §3.2, invalidate-and-replace)."""
        return self.merge([id_], draft, by=by, why=why)

    def merge(self, ids: Sequence[str], draft: Draft, *, by: str = "", why: str = "") -> Entry:
        """Put one entry in the place of several; it keeps their evidence and, if it names none, their beginning."""
        with self._change(by, why) as change:
            old = [rows.get(change.connection, id_) for id_ in ids]
            begun = min((entry.valid_from for entry in old if entry.valid_from), default=None)
            cleaned = self._redacted(replace(draft, valid_from=draft.valid_from or begun))
            return self._embedded(change, operations.merge(change, ids, cleaned))

    def invalidate(self, id_: str, *, why: str, by: str = "") -> Entry:
        """Clear an entry's valid bit and keep the reason. Nothing is deleted."""
        with self._change(by, why) as change:
            return operations.invalidate(change, id_)

    def restore(self, id_: str, *, why: str, by: str = "") -> Entry:
        """Bring back what was invalidated or superseded, as a new entry with the same words and evidence."""
        with self._change(by, why) as change:
            return self._embedded(change, operations.restore(change, id_))

    def forget(self, id_: str, *, why: str, by: str = "") -> list[str]:
        """Delete what an entry and its other versions say, and return their ids; stubs for the audit stay."""
        with self._change(by, why) as change:
            operations.overwrite_deleted(change.connection)
            forgotten = operations.forget(change, id_)
        if isinstance(self._engine, Engine):
            operations.empty_log(self._engine)
        return forgotten

    def release(self, id_: str, *, by: str, why: str) -> Entry:
        """Let a quarantined entry guide: a named person vouches for it."""
        with self._change(by, why) as change:
            return self._embedded(change, operations.release_held(change, id_))

    def reject(self, id_: str, *, by: str, why: str) -> Entry:
        """Refuse a quarantined entry for good."""
        with self._change(by, why) as change:
            return operations.reject_held(change, id_)

    def export(self, scope: str | None = None) -> list[str]:
        """Return every entry (of a scope and those that it sees) as a line of JSON."""
        with self._engine.begin() as connection:
            if scope is not None:
                entries.require_scope(run_on(connection), scope)
            return list(exchange.export(connection, None if scope is None else visible(scope)))

    def import_lines(self, lines: Iterable[str]) -> exchange.ImportCount:
        """Add exported entries that are not here yet; a line that is altered or malformed is refused alone."""
        with writing(self._engine) as connection:
            imported = exchange.read(connection, lines, self._contract)
            added = [entry for entry in rows.find(connection, imported.added) if entry.valid]
            vectors.write(connection, added, self._embedder)
            return imported

    def abstract(self, scope: str, *, quorum: int = 2) -> list[Entry]:
        """Add the facts that several active plans of a scope share, and return them (MSCE App. 8)."""
        with self._change("abstraction", "shared by several plans") as change:
            run = run_on(change.connection)
            plans = entries.where(run, *entries.within(run, scope), entries.in_force(change.at))
            return self._admit(change, shared_orders(plans, quorum=quorum))

    def used(self, ids: Iterable[str]) -> None:
        """Count that entries were given to an agent."""
        counted = {"use_count": ENTRY.c.use_count + 1, "used_at": utc(self._clock())}
        with writing(self._engine) as connection:
            connection.execute(update(ENTRY).where(ENTRY.c.id.in_(list(ids))).values(**counted))

    def link_tool(self, plan_id: str, tool_name: str) -> Entry:
        """Record that a tool implements a plan: D(p)."""
        with writing(self._engine) as connection:
            rows.add_tool(connection, plan_id, tool_name)
            return rows.get(connection, plan_id)

    def reindex(self) -> int:
        """Embed every valid entry anew with the embedder in use, and return their number."""
        with writing(self._engine) as connection:
            self._embedder.embed([""])  # a model that is missing says so before anything is cleared
            vectors.clear(connection)
            every = entries.where(run_on(connection), entries.VALID)
            vectors.write(connection, every, self._embedder)
            return len(every)

    def _learn(self, change: EntryChange, trajectory: Trajectory, quorum: int, docs: Mapping[str, str]) -> None:
        connection = change.connection
        observe_stored(connection, trajectory)
        said = {function: doc for function, doc in docs.items() if order_in(doc) is None}
        drafts = plan_drafts(connection, trajectory, quorum=quorum, docs=said)
        drafts += pitfall_drafts(connection, trajectory)
        drafts += fact_drafts(connection, trajectory, quorum=quorum)
        self._admit(change, drafts)
        renew(change, trajectory.task_id)

    def _admit(self, change: EntryChange, drafts: Sequence[Draft]) -> list[Entry]:
        added = [admit(change, self._redacted(draft)) for draft in drafts]
        active = {entry.id: entry for entry in added if entry.valid}
        if active:
            vectors.write(change.connection, list(active.values()), self._embedder)
        return added

    def _redacted(self, draft: Draft) -> Draft:
        return redact_draft(draft, personal=self._contract.redaction.personal_in_entries)

    def _compact(self, connection: Connection, scope: str) -> episodes.Compaction:
        return episodes.compact(connection, scope, at=utc(self._clock()), rules=self._contract.episodes)

    def _embedded(self, change: EntryChange, entry: Entry) -> Entry:
        if entry.valid:
            vectors.write(change.connection, [entry], self._embedder)
        return entry

    @contextmanager
    def _connected(self) -> Iterator[QueryRunner]:
        with self._engine.begin() as connection:
            yield run_on(connection)

    @contextmanager
    def _change(self, author: str, why: str) -> Iterator[EntryChange]:
        with writing(self._engine) as connection:
            yield EntryChange(
                connection=connection, at=utc(self._clock()), author=author, why=why, contract=self._contract
            )
