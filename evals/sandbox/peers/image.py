"""An image that the peers accept: our interpreter and library, with a shell and a Jupyter kernel gateway."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import docker
from docker.errors import ImageNotFound

from nucleate_sandbox.docker.images.archive import write_image, write_layer
from nucleate_sandbox.docker.images.rootfs import PACKAGES, PYTHON, assemble
from nucleate_sandbox.docker.images.tags import image_tag

LABEL = "org.nucleate.eval"
GATEWAY = ("jupyter_kernel_gateway==3.0.1", "ipykernel==6.29.5")
SHELL = ("sh", "mkdir", "chown", "cat", "sleep")
LAUNCHER = f'#!/bin/sh\nexec /{PYTHON} -X frozen_modules=on "$@"\n'
CONFIG = {
    "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", f"PYTHONPATH=/{PACKAGES}", "HOME=/tmp"],
    "WorkingDir": "/tmp",
    "Cmd": [
        "python",
        "-m",
        "kernel_gateway",
        "--KernelGatewayApp.ip=0.0.0.0",
        "--KernelGatewayApp.port=8888",
        "--KernelGatewayApp.allow_origin=*",
    ],
    "Labels": {LABEL: "sandbox"},
}


def build_peer_image(client: docker.DockerClient, uv: str) -> str:
    """Return the tag of the peers' image; it is built once for each version of our own."""
    tag = f"nucleate-eval-peers:{image_tag().rpartition(':')[2]}"
    try:
        client.images.get(tag)
    except ImageNotFound:
        with tempfile.TemporaryDirectory(prefix="nucleate-eval-") as name:
            _build(client, Path(name), tag, uv)
    return tag


def _build(client: docker.DockerClient, folder: Path, tag: str, uv: str) -> None:
    root = folder / "root"
    root.mkdir()
    assemble(root)
    install = [uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", str(root / PACKAGES)]
    subprocess.run([*install, *GATEWAY], check=True)
    _compile(root)
    _add_shell(root)
    _add_libraries(root)
    digest = write_layer(root, folder / "layer.tar", {PYTHON: 0o755, "tmp": 0o1777})
    write_image(folder / "layer.tar", digest, folder / "image.tar", tag=tag, config=CONFIG)
    with (folder / "image.tar").open("rb") as file:
        client.images.load(file)


def _compile(root: Path) -> None:
    """Byte-compile as our own image is, so that neither side pays for it at each start."""
    options = ["-q", "-j", "0", "--invalidation-mode", "unchecked-hash", "-s", str(root), "-p", "/"]
    subprocess.run([sys.executable, "-I", "-m", "compileall", *options, str(root / PACKAGES)], check=False)


def _add_shell(root: Path) -> None:
    (root / "bin").mkdir(exist_ok=True)
    for name in SHELL:
        shutil.copy(Path(shutil.which(name) or f"/bin/{name}").resolve(), root / "bin" / name)
    launcher = root / "usr/local/bin/python"
    launcher.write_text(LAUNCHER, encoding="utf-8")
    launcher.chmod(0o755)


def _add_libraries(root: Path) -> None:
    """Copy what the shell and the gateway's extension modules are linked with, where it is not there yet."""
    for binary in (*(root / "bin").iterdir(), *(root / PACKAGES).rglob("*.so")):
        for library in _linked(binary):
            target = root / str(library).lstrip("/")
            if not library.is_relative_to(root) and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(library.resolve(), target)


def _linked(program: Path) -> list[Path]:
    text = subprocess.run(["ldd", str(program)], capture_output=True, encoding="utf-8", check=False).stdout
    return [Path(item) for item in re.findall(r"(?:=> |^\s+)(/\S+) \(0x", text, re.MULTILINE)]
