"""Tools whose result depends on the order of an object's keys, where the environment itself gives them in several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nucleate_codifier.admission.running.bench import Bench, Benches
from nucleate_codifier.admission.running.compare import told_apart
from nucleate_codifier.admission.running.examples import Ran
from nucleate_codifier.admission.running.grounds import run
from nucleate_codifier.admission.running.worlds import AlteredAnswers
from nucleate_codifier.values import Finding
from nucleate_sandbox import Json


def check_key_order(benches: Benches, met: Sequence[Ran]) -> list[Finding]:
    """Return a finding for the first example that comes out otherwise when unsteady keys are turned round."""
    unsteady = _unsteady(met)
    concerned = [item for item in met if any(call.function in unsteady for call in item.outcome.calls)]

    def apart(bench: Bench, item: Ran) -> str | None:
        world = AlteredAnswers(item.ground.world(), unsteady, _turned)
        return told_apart(item.outcome, run(bench, item.ground, world=world))

    told = benches.each(apart, concerned) if concerned else []
    found = next(((item, reason) for item, reason in zip(concerned, told, strict=True) if reason is not None), None)
    return [] if found is None else [_finding(found[0], found[1], unsteady)]


def _unsteady(met: Sequence[Ran]) -> frozenset[str]:
    """Return the functions whose answers hold objects of equal keys in several orders."""
    orders: dict[tuple[str, str, frozenset[str]], set[tuple[str, ...]]] = {}
    for call in (call for item in met for call in (*item.example.calls, *item.outcome.calls)):
        for path, keys in _objects(call.result, ""):
            orders.setdefault((call.function, path, frozenset(keys)), set()).add(keys)
    return frozenset(function for (function, _, _), seen in orders.items() if len(seen) > 1)


def _objects(value: Json, path: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(value, dict):
        yield path, tuple(value)
        for key, item in value.items():
            yield from _objects(item, f"{path}.{key}")
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item, f"{path}[]")


def _turned(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _turned(item) for key, item in reversed(value.items())}
    return [_turned(item) for item in value] if isinstance(value, list) else value


def _finding(item: Ran, reason: str, unsteady: frozenset[str]) -> Finding:
    return Finding(
        rule="tests/key-order",
        message=f"example of task {item.example.task_id!r} depends on the order of keys, which "
        f"{', '.join(sorted(unsteady))} gives now in one order, now in another: {reason}",
        fix="sort the keys, or choose by what they hold",
    )
