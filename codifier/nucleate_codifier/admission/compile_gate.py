"""The compile gate: the candidate loads in the executor's own sandbox, with exactly its closure (Metis §3.5)."""

from __future__ import annotations

from nucleate_codifier.admission.running.bench import Bench
from nucleate_codifier.admission.running.compare import ending
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Finding, Gate
from nucleate_sandbox import Outcome

# No function has this parameter, so a call with it loads the module and stops at the function's door.
PROBE = "nucleate_load_probe"


def compile_gate(subject: Subject) -> GateResult:
    """Load the module and knock at its function with an argument that it cannot take."""
    with Bench(subject, Gate.COMPILE) as bench:
        outcome = bench.call({PROBE: None}, None)
        modules = 1 + len(bench.module.dependencies)
    findings = _judge(outcome)
    return GateResult(findings=findings, counts={"modules": modules})


def _judge(outcome: Outcome) -> tuple[Finding, ...]:
    failure = outcome.failure
    if outcome.calls:
        return (_finding("calls-at-load", f"loading it called {outcome.calls[0].function!r}"),)
    if outcome.limit is None and failure is not None and failure.kind == "TypeError" and PROBE in failure.message:
        return ()
    if outcome.ok:
        return (_finding("takes-anything", "it ran although it was given an argument that it does not declare"),)
    return (_finding("does-not-load", f"with exactly its closure, it {ending(outcome)}"),)


def _finding(name: str, message: str) -> Finding:
    fixes = {
        "calls-at-load": "call the environment inside the public function only",
        "takes-anything": "declare each parameter by name; no *args or **kwargs",
        "does-not-load": "define or import every name that the module uses, and do nothing at module level",
    }
    return Finding(rule=f"compile/{name}", message=message, fix=fixes[name])
