"""TextMemory: store what agents did, learn plans, pitfalls and facts from it, and find them again."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from sqlalchemy import Connection, Engine, select, update

from nucleate_text_memory import entries as rows
from nucleate_text_memory import vectors
from nucleate_text_memory.embedding import Embedder, LocalEmbedder
from nucleate_text_memory.errors import EntryConflict, UnknownScope
from nucleate_text_memory.identity import pool_key
from nucleate_text_memory.induction import occurrence, plan_drafts, skipping, tasks_with
from nucleate_text_memory.lessons import fact_drafts, pitfall_drafts
from nucleate_text_memory.ranking import fuse, lexical, rank
from nucleate_text_memory.redact import redact, redact_draft
from nucleate_text_memory.signatures import signatures
from nucleate_text_memory.tables import ENTRY, TASK, TRAJECTORY, now
from nucleate_text_memory.trajectories import insert_trajectory, load, load_one
from nucleate_text_memory.values import Draft, Entry, Kind, Occurrence, Reflection, Selected, Trajectory


class TextMemory:
    """Trajectories and typed entries in one database. Every method is one transaction, all or nothing.

    The engine is the caller's, and its tables exist; without an embedder the local model is used.
    """

    def __init__(self, engine: Engine, *, embedder: Embedder | None = None) -> None:
        self._engine = engine
        self._embedder = embedder or LocalEmbedder()

    def store(self, trajectory: Trajectory) -> bool:
        """Store a trajectory without its secrets; False if this very one is stored already."""
        with self._engine.begin() as connection:
            return insert_trajectory(connection, redact(trajectory))

    def trajectory(self, task_id: str) -> Trajectory:
        """Return the trajectory of a task."""
        with self._engine.begin() as connection:
            return load_one(connection, task_id)

    def trajectories(self, scope: str) -> list[Trajectory]:
        """Return the trajectories of a scope, in the order in which they were stored."""
        with self._engine.begin() as connection:
            _require(connection, scope)
            return load(connection, _task_ids(connection, scope))

    def task_ids(self, scope: str | None = None) -> list[str]:
        """Return the ids of the stored tasks (of one scope), in the order in which they were stored."""
        with self._engine.begin() as connection:
            if scope is not None:
                _require(connection, scope)
            return _task_ids(connection, scope)

    def reflect(self, task_id: str, *, quorum: int = 2, docs: Mapping[str, str] | None = None) -> Reflection:
        """Learn from one stored trajectory, and return what it added; a second call returns the same again.

        `docs` maps a function to its documentation, whose first sentence the plans quote.
        """
        with self._engine.begin() as connection:
            trajectory = load_one(connection, task_id)
            if _first_reflection(connection, task_id):
                self._learn(connection, trajectory, quorum, docs or {})
            added = rows.where(connection, ENTRY.c.source == f"task:{task_id}")
        return Reflection(
            task_id=task_id,
            plans=tuple(entry for entry in added if entry.kind is Kind.PLAN),
            pitfalls=tuple(entry for entry in added if entry.kind is Kind.PITFALL),
            facts=tuple(entry for entry in added if entry.kind is Kind.FACT),
        )

    def plans_in(self, trajectory: Trajectory) -> list[Entry]:
        """Return the valid plans whose signature occurs in a trajectory: the plans that this task followed."""
        keys = [pool_key(Kind.PLAN, trajectory.environment, signature) for signature in signatures(trajectory)]
        with self._engine.begin() as connection:
            return rows.where(connection, ENTRY.c.key.in_(keys), ENTRY.c.valid)

    def occurrences(self, plan_id: str, *, task_ids: Container[str] | None = None) -> list[Occurrence]:
        """Return the first occurrence of a plan in each stored trajectory (of these tasks), in the order stored."""
        with self._engine.begin() as connection:
            plan = rows.get(connection, plan_id)
            tasks = tasks_with(connection, pool_key(plan.kind, plan.scope, plan.signature))
            found = load(connection, [task for task in tasks if task_ids is None or task in task_ids])
        return [o for o in (occurrence(trajectory, plan.signature) for trajectory in found) if o is not None]

    def skipping(self, plan_id: str, *, limit: int = 12) -> list[Occurrence]:
        """Return tasks that follow a plan but for one step between its first and last; that step's group is empty."""
        with self._engine.begin() as connection:
            return skipping(connection, rows.get(connection, plan_id), limit=limit)

    def select(self, query: str, *, scope: str, kinds: Iterable[Kind] = tuple(Kind), limit: int = 8) -> list[Selected]:
        """Return the valid entries that answer a query best: cosine and BM25 fused by rank; none that scores 0."""
        with self._engine.begin() as connection:
            _require(connection, scope)
            found = rows.where(
                connection, ENTRY.c.scope == scope, ENTRY.c.valid, ENTRY.c.kind.in_([k.value for k in kinds])
            )
            dense = vectors.read(connection, found, self._embedder)
        if not found:
            return []
        asked = self._embedder.embed([query])[0]
        scores = fuse(dense @ asked, lexical(query, [vectors.text_of(entry) for entry in found])).tolist()
        ranked = sorted(zip(found, scores, strict=True), key=lambda pair: (-pair[1], pair[0].id))
        return [Selected(entry=entry, score=score) for entry, score in ranked[:limit] if score > 0]

    def rank(self, query: str, documents: Mapping[str, str]) -> list[tuple[str, float]]:
        """Return (id, score) of every document, best first, by the measure that `select` uses."""
        return rank(query, documents, embedder=self._embedder)

    def entries(
        self, scope: str | None = None, kind: Kind | str | None = None, *, valid_only: bool = True
    ) -> list[Entry]:
        """Return the entries (of a scope, of a kind), in the order in which they were added."""
        with self._engine.begin() as connection:
            if scope is not None:
                _require(connection, scope)
            wanted = [ENTRY.c.scope == scope] if scope is not None else []
            wanted += [ENTRY.c.kind == Kind(kind).value] if kind is not None else []
            return rows.where(connection, *wanted, *([ENTRY.c.valid] if valid_only else []))

    def entry(self, id_: str) -> Entry:
        """Return one entry, valid or not."""
        with self._engine.begin() as connection:
            return rows.get(connection, id_)

    def scopes(self) -> list[str]:
        """Return every scope that a task or an entry has, sorted."""
        with self._engine.begin() as connection:
            return rows.scopes(connection)

    def add(self, draft: Draft) -> Entry:
        """Add an entry without its secrets; the same words again give the entry that is there."""
        with self._engine.begin() as connection:
            return self._insert(connection, [draft])[0]

    def invalidate(self, id_: str, *, why: str) -> Entry:
        """Clear an entry's valid bit and keep the reason. Nothing is deleted."""
        with self._engine.begin() as connection:
            rows.get(connection, id_)
            rows.mark_invalid(connection, [id_], why=why)
            return rows.get(connection, id_)

    def replace(self, old: Sequence[str], draft: Draft) -> Entry:
        """Invalidate entries and add the one that supersedes them (Metis §3.2, invalidate-and-replace)."""
        with self._engine.begin() as connection:
            for id_ in old:
                _refuse_other_place(rows.get(connection, id_), draft)
            new = self._insert(connection, [draft], supersedes=tuple(old))[0]
            rows.mark_invalid(connection, old, why=f"superseded by {new.id}")
            return new

    def link_tool(self, plan_id: str, tool_name: str) -> Entry:
        """Record that a tool implements a plan: D(p)."""
        with self._engine.begin() as connection:
            rows.add_tool(connection, plan_id, tool_name)
            return rows.get(connection, plan_id)

    def reindex(self) -> int:
        """Embed every entry anew with the embedder in use, and return their number."""
        with self._engine.begin() as connection:
            vectors.clear(connection)
            every = rows.where(connection)
            vectors.write(connection, every, self._embedder)
            return len(every)

    def _learn(self, connection: Connection, trajectory: Trajectory, quorum: int, docs: Mapping[str, str]) -> None:
        drafts = plan_drafts(connection, trajectory, quorum=quorum, docs=docs)
        drafts += pitfall_drafts(connection, trajectory)
        drafts += fact_drafts(connection, trajectory, quorum=quorum)
        self._insert(connection, drafts)

    def _insert(
        self, connection: Connection, drafts: Sequence[Draft], *, supersedes: tuple[str, ...] = ()
    ) -> list[Entry]:
        added = [rows.insert_entry(connection, redact_draft(draft), supersedes=supersedes) for draft in drafts]
        if added:
            vectors.write(connection, added, self._embedder)
        return added


def _require(connection: Connection, scope: str) -> None:
    if not rows.has_scope(connection, scope):
        known = ", ".join(repr(name) for name in rows.scopes(connection)) or "none yet"
        raise UnknownScope(f"no scope {scope!r}; known scopes: {known}")


def _task_ids(connection: Connection, scope: str | None) -> list[str]:
    joined = select(TRAJECTORY.c.task_id).join(TASK, TASK.c.id == TRAJECTORY.c.task_id).order_by(TRAJECTORY.c.id)
    return list(connection.scalars(joined if scope is None else joined.where(TASK.c.scope == scope)))


def _first_reflection(connection: Connection, task_id: str) -> bool:
    unseen = (TRAJECTORY.c.task_id == task_id, TRAJECTORY.c.reflected_at.is_(None))
    return connection.execute(update(TRAJECTORY).where(*unseen).values(reflected_at=now())).rowcount > 0


def _refuse_other_place(old: Entry, draft: Draft) -> None:
    if (old.scope, old.kind) != (draft.scope, draft.kind):
        said = f"entry {old.id!r} is a {old.kind} of scope {old.scope!r}, the new one a {draft.kind} of {draft.scope!r}"
        raise EntryConflict(f"{said}; replace entries of the same kind and scope only")
