"""The schema's history. A change of a table is a new file in `versions/`; the newest is HEAD."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, func, select, text

HEAD = max(path.name[:4] for path in (Path(__file__).parent / "versions").glob("[0-9]*.py"))
_LOCK = 0x6E75636C  # "nucl": a number that no other program is likely to lock


def one_at_a_time(connection: Connection) -> None:
    """Let no other process change the schema until the transaction ends; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def upgrade(engine: Engine) -> None:
    """Bring a database to HEAD with Alembic, in one transaction."""
    from alembic import command  # imported here: opening an up-to-date database does not pay for it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with engine.begin() as connection:
        one_at_a_time(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def stamp(connection: Connection, revision: str) -> None:
    """Record that the schema is at an Alembic revision."""
    connection.execute(text("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL)"))
    connection.execute(text("DELETE FROM alembic_version"))
    connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:revision)"), {"revision": revision})
