"""A results file of tau2-bench: simulations of one domain, each a conversation with its reward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from nucleate_text_memory.recordings.conversations import ConversationLine
from nucleate_text_memory.recordings.formats.reader import BadLine, Read, RecordingSource, an_object, bad_line, loads
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.values import JsonObject, Trajectory

_READ = frozenset({"messages", "task_id", "trial"})


class Tau2:
    """Reads the whole file; a simulation that cannot be read is reported by its place."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source

    def read(self, number: int, text: str) -> Iterator[Trajectory | BadLine]:  # noqa: ARG002 - the Reader's signature
        """Yield a trajectory for each simulation."""
        document = loads(text)
        simulations = document.get("simulations")
        if not isinstance(simulations, list):
            raise LineFault("`simulations` is no list")
        info = document.get("info")
        domain = _domain(info if isinstance(info, dict) else {})
        for place, simulation in enumerate(simulations, start=1):
            try:
                yield self._trajectory(an_object(simulation), domain)
            except (ValidationError, LineFault) as error:
                yield bad_line(place, f"simulation {place}: {error}", str(simulation))

    def end(self) -> Read:
        """Yield nothing: the file is whole."""
        return ()

    def _trajectory(self, simulation: dict[str, Any], domain: str | None) -> Trajectory:
        scope = self._source.scope(domain)
        reward = simulation.get("reward_info")
        task = f"tau2-{domain or scope}-{simulation.get('task_id')}-trial-{simulation.get('trial', 0)}"
        line = {"task_id": task, "environment": scope, "messages": simulation.get("messages")}
        if isinstance(reward, dict) and isinstance(reward.get("reward"), int | float):
            line["reward"] = float(reward["reward"])
        meta: JsonObject = {key: value for key, value in simulation.items() if key not in _READ}
        return ConversationLine.model_validate(line).trajectory(
            None, meta={"format": "tau2", **meta}, names=self._source.kept.names
        )


def _domain(info: dict[str, Any]) -> str | None:
    environment = info.get("environment_info")
    name = environment.get("domain_name") if isinstance(environment, dict) else None
    return name if isinstance(name, str) and name else None
