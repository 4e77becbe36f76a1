"""Every rule that a gate can name: what it refuses, why, how to put it right, and an example."""

from nucleate_codifier.rulebook.book import RULES, Rule, UnknownRule, explain

__all__ = ["RULES", "Rule", "UnknownRule", "explain"]
