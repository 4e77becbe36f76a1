"""The built-in agent: ReAct with code actions on any model (Metis §3.1, step 3)."""

from nucleate.executor.budgets import Budgets, RunEnding, RunSpent
from nucleate.executor.executor import Executor, RunTask
from nucleate.executor.result import RunResult
from nucleate.executor.run_events import RunEvent, RunListener

__all__ = ["Budgets", "Executor", "RunEnding", "RunEvent", "RunListener", "RunResult", "RunSpent", "RunTask"]
