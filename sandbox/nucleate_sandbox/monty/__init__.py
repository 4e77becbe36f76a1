"""The embedded backend: Monty, a memory-safe Python interpreter in worker processes; no engine needed."""

from nucleate_sandbox.monty.monty_sandbox import MontySandbox

__all__ = ["MontySandbox"]
