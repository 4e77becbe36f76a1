"""The options that stand before a command, and the folder of the user's own cache."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nucleate.settings.settings import Settings


@dataclass(frozen=True)
class Choices:
    """The options that stand before a command; they win over the process environment."""

    given: Mapping[str, str]

    def settings(self, **more: object) -> Settings:
        """Return the settings with the given options; InputInvalid names the place of a wrong value."""
        from nucleate.settings.settings import settings_from  # the list of commands needs no settings

        return settings_from({**self.given, **more})

    def database(self) -> str:
        """Return where the database is; where nothing is configured, without reading settings."""
        if self.given.keys() - {"database"} or self.configured():
            return self.settings().database
        from nucleate.settings.defaults import DEFAULT_DATABASE

        return self.given.get("database", str(DEFAULT_DATABASE))

    def configured(self) -> bool:
        """Return whether a variable or a file configures anything here."""
        from nucleate.settings.config_files import nearest_file
        from nucleate.settings.defaults import PREFIX

        return any(name.upper().startswith(PREFIX) for name in os.environ) or nearest_file(Path.cwd()) is not None


def cache_folder() -> Path:
    """Return the folder of the user's own cache: nothing in it is needed, and nobody else writes there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nucleate"
