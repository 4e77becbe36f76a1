"""`python -m nucleate` is the command `nucleate`, for hosts that start interpreters alone."""

from __future__ import annotations

from nucleate.cli.app import main

if __name__ == "__main__":
    main()
