"""The schema's history: a change of a table is a new file in `versions/`, and the last of them is HEAD."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # whoever asks for HEAD alone imports neither SQLAlchemy nor Alembic
    from sqlalchemy import Connection, Engine

_FOLDER = Path(__file__).parent
_LOCK = 0x6E75636C  # "nucl": a number that no other program is likely to lock

HEAD = max(path.name.partition("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*_*.py"))


def one_at_a_time(connection: Connection) -> None:
    """Let no other process change the schema until the transaction ends."""
    from nucleate_text_memory.one_writer import be_the_writer

    be_the_writer(connection, _LOCK)


def upgrade(engine: Engine) -> None:
    """Bring a database to HEAD with Alembic, in one transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    with engine.begin() as connection:
        one_at_a_time(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def stamp(connection: Connection, revision: str) -> None:
    """Record that the schema is at an Alembic revision."""
    from sqlalchemy import text

    connection.execute(text("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL)"))
    connection.execute(text("DELETE FROM alembic_version"))
    connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:revision)"), {"revision": revision})
