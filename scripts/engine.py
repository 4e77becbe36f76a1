"""Exits with 0 when a Docker engine answers, and otherwise says in one line why not."""

from __future__ import annotations

import sys

import docker


def main() -> None:
    """Ask the engine that the environment names for a sign of life."""
    try:
        client = docker.from_env(timeout=10)
        client.ping()
        client.close()
    except (docker.errors.DockerException, OSError) as error:
        print(f"no Docker engine answers ({error})", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
