"""`python -m tests.sandbox.escapes`: runs the corpus and prints its table of outcomes as Markdown."""

from __future__ import annotations

from nucleate_sandbox import DockerSandbox, Module, MontySandbox, Outcome, Sandbox
from tests.sandbox.escapes.case import Hostile
from tests.sandbox.escapes.corpus import CASES


def attack(sandbox: Sandbox, item: Hostile) -> Outcome:
    """Run one program with no policy before it."""
    with sandbox.open(limits=item.limits) as session:
        return session.call(Module(name="tool", source=item.source), "tool", {})


def in_words(outcome: Outcome) -> str:
    """Return an outcome in a few words."""
    if outcome.limit is not None:
        return f"limit: {outcome.limit.value}"
    if outcome.failure is not None:
        return outcome.failure.kind + (" (unsupported)" if outcome.failure.unsupported else "")
    return f"value `{str(outcome.value)[:50]}`".replace("|", "\\|")


def main() -> None:
    """Print the table."""
    print("# What the hostile programs of the corpus came to\n")
    print("| class | program | tries | Docker | Monty |\n|---|---|---|---|---|")
    with DockerSandbox() as docker, MontySandbox() as monty:
        for group, item in CASES:
            there, here = attack(docker, item), attack(monty, item)
            good = "" if item.docker.met(there) else " **UNEXPECTED**"
            good2 = "" if item.monty.met(here) else " **UNEXPECTED**"
            print(
                f"| {group} | {item.name} | {item.tries} | {in_words(there)}{good} | {in_words(here)}{good2} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
