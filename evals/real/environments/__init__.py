"""Environments of public benchmarks that can be run: each has functions, `fork()` and `state()`."""

from evals.real.environments.child import Child, ChildEnvironment
from evals.real.environments.package import AGENTDOJO, TAU2, Package, python_of

__all__ = ["AGENTDOJO", "TAU2", "Child", "ChildEnvironment", "Package", "python_of"]
