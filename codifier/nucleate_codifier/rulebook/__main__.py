"""`python -m nucleate_codifier.rulebook FOLDER` writes the rules into the documentation, a page for each gate."""

from __future__ import annotations

import sys
from pathlib import Path

from nucleate_codifier.rulebook.documentation import fill, pages


def main(arguments: list[str]) -> int:
    """Rewrite the pages of each folder; return 2 where none was named."""
    if not arguments:
        sys.stderr.write("name the folder: python -m nucleate_codifier.rulebook docs/gates\n")
        return 2
    for name in arguments:
        for page in pages():
            place = Path(name, f"{page}.md")
            place.write_text(fill(page, place.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
