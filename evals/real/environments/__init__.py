"""Environments of public benchmarks that can be run: each has functions, `fork()` and `state()`."""

from evals.real.environments.child import Child, ChildEnvironment
from evals.real.environments.package import AGENTDOJO, BFCL, TAU2, Package, python_of, site_packages

__all__ = ["AGENTDOJO", "BFCL", "TAU2", "Child", "ChildEnvironment", "Package", "python_of", "site_packages"]
