"""The built-in agent: ReAct with code actions on any model (Metis §3.1, step 3)."""

from nucleate.executor.budgets import Budgets, Ending, Spent
from nucleate.executor.executor import Executor, Task
from nucleate.executor.result import RunResult
from nucleate.executor.run_events import RunEvent, RunListener

__all__ = ["Budgets", "Ending", "Executor", "RunEvent", "RunListener", "RunResult", "Spent", "Task"]
