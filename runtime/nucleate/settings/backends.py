"""The names of the sandboxes that can be asked for."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Backend: TypeAlias = Literal["auto", "docker", "monty"]
AUTO: Final = "auto"
DOCKER: Final = "docker"
MONTY: Final = "monty"
