"""`nucleate sandbox`: the images and the containers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console

import nucleate_sandbox
from nucleate_sandbox import NO_PACKAGES, docker

app = typer.Typer(help="The Docker sandbox: build its image, look at it, clean up.", no_args_is_help=True)
console = Console(highlight=False, soft_wrap=True)


@app.command()
def build(
    packages: Annotated[
        list[str] | None, typer.Option("--with", help="A package that programs need, as in 'name>=1.2'; repeatable.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Build also what is there.")] = False,
) -> None:
    """Build the sandbox image from this interpreter, without a registry of images; does nothing if it is there."""
    console.print(
        f"image {docker.build_image(nucleate_sandbox.lock(packages) if packages else NO_PACKAGES, force=force)}"
    )


@app.command("status")
def show_status() -> None:
    """Show the engine, the images and the containers that are ours."""
    found = docker.status()
    image = found.image if found.image_present else f"{found.image} is missing; `nucleate sandbox build` makes it"
    console.print(f"engine      {found.engine}\nimage       {image}")
    others = [tag for tag in found.images if tag != found.image]
    console.print(f"more images {', '.join(others) or 'none'}")
    console.print(f"containers  {found.containers}, of which {found.leftovers} without an owner")
    _list(found.found)


@app.command("clean")
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
