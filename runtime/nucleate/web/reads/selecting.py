"""The one way in which reads select: columns of several tables, as many as a page shows."""

from __future__ import annotations

from typing import Any

import sqlalchemy
from sqlalchemy import Select


def select(*columns: Any) -> Select[Any]:
    """Return a query for columns; what they hold is said where the rows are made into values."""
    return sqlalchemy.select(*columns)
