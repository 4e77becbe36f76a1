"""The schema's history. A change of a table is a new file in `versions/` and a new HEAD."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

HEAD = "0009"


def upgrade(engine: Engine) -> None:
    """Bring a database to HEAD with Alembic, in one transaction."""
    from alembic import command  # imported here: opening an up-to-date database does not pay for it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
