"""The reflector: a bounded agent that reviews one run, and is never believed before its proposals pass the gates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nucleate.reflection.compact import compact, truncated
from nucleate.reflection.endings import ending_text, said_text
from nucleate.reflection.gates import Gates
from nucleate.reflection.inspection import ReviewDesk
from nucleate.reflection.review_actions import Finish, Proposal, ReviewTurn, Valued
from nucleate_codifier.chat import ChatModel, Message, Role
from nucleate_codifier.model import Budget
from nucleate_codifier.model.budget import OutOfBudget, Spending
from nucleate_codifier.model.conversation import Conversation
from nucleate_codifier.model.prompting import Prompts
from nucleate_sandbox import JsonObject
from nucleate_text_memory import Trajectory
from nucleate_text_memory.learning.credit import backfill, reflection_weight, reward_of

PROMPTS = Prompts(Path(__file__).parent / "prompts")
QUERY = 150


@dataclass(frozen=True, kw_only=True)
class Review:
    """How a review ended: what counts, what was refused and why, the value of each step, and what it took.

    `cause` is `unknown` where the model says that the steps do not show why a run failed.
    """

    accepted: tuple[Proposal, ...] = ()
    refused: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    ending: str = "finished"
    cause: str = ""
    origin: JsonObject = field(default_factory=dict)


def reflect_with_model(
    desk: ReviewDesk, gates: Gates, *, model: ChatModel, budget: Budget, recent: Sequence[str] = ()
) -> Review:
    """Let the model look and propose until it finishes or a budget is used up; raise ModelError on an outage.

    `recent` holds the queries of the most recent tasks, so that what is proposed is general (Metis §3.2).
    """
    return _Work(desk, gates, model, Spending(budget), recent).run()


class _Work:
    def __init__(
        self, desk: ReviewDesk, gates: Gates, model: ChatModel, spending: Spending, recent: Sequence[str]
    ) -> None:
        self._desk = desk
        self._gates = gates
        self._spending = spending
        self._model = model.name
        self._accepted: list[Proposal] = []
        self._refused: list[str] = []
        opening = (
            Message(role=Role.SYSTEM, content=PROMPTS.render("system", probe=_probe(desk))),
            Message(role=Role.USER, content=_task(desk.trajectory, recent, str(spending.turns_left))),
        )
        self._conversation = Conversation(model, spending, *opening)

    def run(self) -> Review:
        try:
            while True:
                action = self._conversation.ask(ReviewTurn).action
                if isinstance(action, Finish):
                    return self._end("finished", action.values, cause=action.cause)
                if isinstance(action, Proposal):
                    self._conversation.tell(self._propose(action))
                else:
                    self._conversation.tell(PROMPTS.render("seen", seen=self._desk.look(action)))
        except OutOfBudget as end:
            return self._end(f"out of {end.what}: {end.message}")

    def _propose(self, proposal: Proposal) -> str:
        reasons = self._gates.judge(proposal, self._accepted)
        if reasons:
            self._refused += [f"{proposal.do}: {reason}" for reason in reasons]
            return PROMPTS.render("refused", reasons="\n".join(f"* {reason}" for reason in reasons))
        self._accepted.append(proposal)
        return PROMPTS.render("accepted", turns=str(self._spending.turns_left))

    def _end(self, ending: str, values: Sequence[Valued] = (), *, cause: str = "") -> Review:
        origin: JsonObject = {"model": self._model, "prompts": PROMPTS.hash, **self._spending.to_json()}
        return Review(
            accepted=tuple(self._accepted),
            refused=tuple(self._refused),
            values=_values(self._desk.trajectory, values),
            ending=ending,
            cause=cause,
            origin=origin,
        )


def _task(trajectory: Trajectory, recent: Sequence[str], turns: str) -> str:
    ended = {True: "It succeeded.", False: "It failed.", None: "Nobody judged it."}[trajectory.success]
    reward = f" Its reward was {trajectory.reward:g}." if trajectory.reward is not None else ""
    return PROMPTS.render(
        "task",
        query=truncated(trajectory.query, 500),
        outcome=f"{ended}{reward}",
        look_for=PROMPTS.render("failure" if trajectory.success is False else "success"),
        steps=compact(trajectory),
        ending=ending_text(trajectory),
        said=said_text(trajectory),
        recent="\n".join(f"* {truncated(query, QUERY)}" for query in recent) or "(none)",
        turns=turns,
    )


def _probe(desk: ReviewDesk) -> str:
    """Return the line on probing, where there is an environment to probe."""
    return f"{PROMPTS.render('probe')}\n" if desk.reachable else ""


def _values(trajectory: Trajectory, values: Sequence[Valued]) -> tuple[float, ...]:
    """Return V of every step (MSCE §4); a step without a reflection has α = 0. None where nobody judged the run."""
    reward = reward_of(trajectory)
    if reward is None:
        return ()
    said = {item.step: reflection_weight(item.reflection, item.weight) for item in values}
    weights = [said.get(number, 0.0) for number in range(1, len(trajectory.steps) + 1)]
    return tuple(backfill(reward, weights))
