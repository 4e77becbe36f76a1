"""`nucleate sandbox`: the image and the containers."""

from __future__ import annotations

import typer
from rich.console import Console

from nucleate_sandbox.docker import build_image, clean, status

app = typer.Typer(help="The Docker sandbox: build its image, look at it, clean up.", no_args_is_help=True)


@app.command()
def build() -> None:
    """Build the sandbox image from this interpreter, without a registry; does nothing if it is there."""
    Console().print(f"image {build_image()}", highlight=False)


@app.command("status")
def show_status() -> None:
    """Show the engine, the image and the containers that are ours."""
    found = status()
    image = found.image if found.image_present else f"{found.image} is missing; `nucleate sandbox build` makes it"
    console = Console()
    console.print(f"engine      {found.engine}\nimage       {image}", highlight=False)
    console.print(f"containers  {found.containers}, of which {found.leftovers} without an owner", highlight=False)


@app.command("clean")
def remove() -> None:
    """Remove containers whose owner is gone, and images of other versions."""
    Console().print(f"{clean()} containers removed", highlight=False)
