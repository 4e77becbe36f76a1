"""`python -m nucleate_codifier.rulebook PAGE` writes the rules into a page of the documentation."""

from __future__ import annotations

import sys
from pathlib import Path

from nucleate_codifier.rulebook.documentation import fill


def main(arguments: list[str]) -> int:
    """Rewrite each page; return 2 where none was named."""
    if not arguments:
        sys.stderr.write("name the page: python -m nucleate_codifier.rulebook docs/admission.md\n")
        return 2
    for name in arguments:
        page = Path(name)
        page.write_text(fill(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
