"""`nucleate sandbox`: the images and the containers."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

import nucleate_sandbox
from nucleate.cli.screen import Screen
from nucleate.errors import InputInvalid
from nucleate_sandbox import Lock, PackageError, docker, read_requirements

console = Screen(highlight=False, soft_wrap=True)


def build(
    packages: Annotated[
        list[str] | None, typer.Option("--with", help="A package that programs need, as in 'name>=1.2'; repeatable.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Build also what is there.")] = False,
) -> None:
    """Build the sandbox image from this interpreter, without a registry of images; does nothing if it is there."""
    console.print(f"image {docker.build_image(_locked(packages or ()), force=force)}")


def show_lock(
    sources: Annotated[list[Path], typer.Argument(help="A tool's file, and the files of the tools that it calls.")],
) -> None:
    """Print a lock of the packages that Python files declare, with the hash of every file of them."""
    try:
        requirements = read_requirements(*map(_text, sources))
    except PackageError as error:
        raise InputInvalid(str(error)) from error
    sys.stdout.write(_locked(requirements).text)


def _locked(requirements: Iterable[str]) -> Lock:
    try:
        return nucleate_sandbox.lock(requirements)
    except PackageError as error:
        raise InputInvalid(str(error)) from error


def _text(source: Path) -> str:
    try:
        return source.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputInvalid(f"{str(source)!r} cannot be read ({error}); give the file of a tool") from error


def show_status() -> None:
    """Show the engine, the images and the containers that are ours."""
    found = docker.status()
    image = found.image if found.image_present else f"{found.image} is missing; `nucleate sandbox build` makes it"
    console.print(f"engine      {found.engine}\nimage       {image}")
    others = [tag for tag in found.images if tag != found.image]
    console.print(f"more images {', '.join(others) or 'none'}")
    console.print(f"containers  {found.containers}, of which {found.leftovers} without an owner")
    _list(found.found)


def remove(
    images: Annotated[
        bool, typer.Option("--images", help="Also images of other versions, and of packages that are not in use.")
    ] = False,
) -> None:
    """Remove the containers whose owner is gone, and say which they were."""
    gone = docker.clean()
    _list(gone)
    console.print(f"{len(gone)} containers removed")
    if images:
        tags = docker.clean_images()
        _list(f"image {tag}" for tag in tags)
        console.print(f"{len(tags)} images removed")


def _list(items: Iterable[object]) -> None:
    for item in items:
        console.print(f"  {item}")
