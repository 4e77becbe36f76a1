"""What the reflector may say: one look, one probe or one proposal per turn, and how the run is to be valued."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from nucleate_codifier.model.actions import ObjectText
from nucleate_text_memory import FactContent, PitfallContent, PlanContent

LONGEST = 600
Text = Annotated[str, Field(min_length=1, max_length=LONGEST)]


class _StrictAction(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ShowStep(_StrictAction):
    """See one step in full."""

    do: Literal["show_step"]
    step: int


class ShowSteps(_StrictAction):
    """See some steps at more length."""

    do: Literal["show_steps"]
    first: int
    last: int


class ShowTool(_StrictAction):
    """See the implementation of a tool."""

    do: Literal["show_tool"]
    name: str


class SearchMemory(_StrictAction):
    """Find entries that are there."""

    do: Literal["search_memory"]
    query: Text


class Probe(_StrictAction):
    """Call a function of the environment that only reads."""

    do: Literal["probe"]
    function: str
    arguments: ObjectText


class Fact(_StrictAction):
    """A property of the environment that holds for every task."""

    kind: Literal["fact"]
    subject: Text
    predicate: Text
    value: Text

    def content(self) -> FactContent:
        """Return what the entry says."""
        return FactContent(subject=self.subject, predicate=self.predicate, value=self.value)


class Pitfall(_StrictAction):
    """What leads to a mistake, and what comes of it."""

    kind: Literal["pitfall"]
    trigger: Text
    mistake: Text
    consequence: Text

    def content(self) -> PitfallContent:
        """Return what the entry says."""
        return PitfallContent(trigger=self.trigger, mistake=self.mistake, consequence=self.consequence)


class Plan(_StrictAction):
    """A template for a recurring piece of work."""

    kind: Literal["plan"]
    trigger: Text
    steps: tuple[Text, ...] = Field(min_length=1, max_length=12)
    verification: str = Field(default="", max_length=LONGEST)
    boundary: str = Field(default="", max_length=LONGEST)

    def content(self) -> PlanContent:
        """Return what the entry says."""
        return PlanContent(
            trigger=self.trigger, steps=self.steps, verification=self.verification, boundary=self.boundary
        )


Said: TypeAlias = Annotated[Fact | Pitfall | Plan, Field(discriminator="kind")]
Numbers: TypeAlias = Annotated[tuple[int, ...], Field(min_length=1, max_length=12)]


class Add(_StrictAction):
    """Propose a new entry, seen in these steps."""

    do: Literal["add"]
    entry: Said
    steps: Numbers


class Merge(_StrictAction):
    """Propose one entry in place of several."""

    do: Literal["merge"]
    ids: tuple[str, ...] = Field(min_length=2, max_length=6)
    entry: Said
    steps: Numbers
    why: Text = "a run shows it"


class Revise(_StrictAction):
    """Propose another entry in place of one that was wrong."""

    do: Literal["revise"]
    id: str
    entry: Said
    steps: Numbers
    why: Text = "a run shows it"


class Invalidate(_StrictAction):
    """Propose to take back an entry that these steps contradict."""

    do: Literal["invalidate"]
    id: str
    steps: Numbers
    why: Text = "a run shows it"


Proposal: TypeAlias = Add | Merge | Revise | Invalidate


class Valued(_StrictAction):
    """What one step did for the outcome, in a sentence, and how far that is faithful, causal and transferable."""

    step: int
    reflection: str = Field(max_length=LONGEST)
    weight: float | None = Field(default=None, ge=0, le=1)


class Finish(_StrictAction):
    """End the review."""

    do: Literal["finish"]
    values: tuple[Valued, ...] = Field(default=(), max_length=200)
    cause: Literal["known", "unknown", ""] = ""


class ReviewTurn(_StrictAction):
    """One reply in the loop."""

    thought: str = ""
    action: Annotated[
        ShowStep | ShowSteps | ShowTool | SearchMemory | Probe | Add | Merge | Revise | Invalidate | Finish,
        Field(discriminator="do"),
    ]
