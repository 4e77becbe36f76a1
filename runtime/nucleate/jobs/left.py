"""What is left in the queue, in words."""

from __future__ import annotations

import shlex

from nucleate.settings.defaults import DEFAULT_DATABASE


def left_to_learn(queued: int, database: str) -> str:
    """Say how many jobs wait, and what does them; nothing where none does. `database` is shown as it is given."""
    said = f"{counted(queued, 'job')} left to learn from; `{command(database, 'worker --once')}` does it"
    return said if queued else ""


def command(database: str, words: str) -> str:
    """Return a command of ours that uses a database."""
    ordinary = database == str(DEFAULT_DATABASE)
    return f"nucleate {words}" if ordinary else f"nucleate --database {shlex.quote(database)} {words}"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
