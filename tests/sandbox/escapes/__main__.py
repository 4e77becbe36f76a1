"""`python -m tests.sandbox.escapes`: runs the corpus and writes the pages of its outcomes."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.sandbox.escapes.page import measured, pages

DOCS = Path(__file__).parents[3] / "docs"


def main() -> int:
    """Write the pages; 1 when a program or a twin did not end as it must."""
    rows = measured()
    for name, text in pages(rows).items():
        (DOCS / name).write_text(text, encoding="utf-8")
    wrong = [row.item.name for row in rows if not row.held]
    print(f"{len(rows)} programs, {len(wrong)} not as they must: {', '.join(wrong) or 'none'}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
