"""Steps in the order in which their calls began, whenever they end; a call that never ended is no step."""

from __future__ import annotations

from nucleate_text_memory import Step


class Place:
    """The place of one call among the steps."""

    def __init__(self) -> None:
        self.step: Step | None = None

    def end(self, step: Step) -> None:
        """Say what came of the call; the first word stands."""
        self.step = self.step or step


class StepLog:
    """A list of steps that several threads may write."""

    def __init__(self) -> None:
        self._places: list[Place] = []

    def begin(self) -> Place:
        """Take the next place."""
        place = Place()
        self._places.append(place)
        return place

    def add(self, *steps: Step) -> None:
        """Add steps that have ended."""
        for step in steps:
            self.begin().end(step)

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps that have ended."""
        return tuple(place.step for place in tuple(self._places) if place.step is not None)
