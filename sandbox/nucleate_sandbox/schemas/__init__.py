"""Strangers' JSON schemas: brought to one draft, and values held to them within a budget."""

from nucleate_sandbox.schemas.checking import Checked, check, holds
from nucleate_sandbox.schemas.modern import modern

__all__ = ["Checked", "check", "holds", "modern"]
