"""`python -m nucleate_guest PURPOSE [TRANSPORT]`: what the container runs."""

from __future__ import annotations

import sys

from .zygote import main

main(*sys.argv[1:])
