"""Writes folders as a Docker image archive: the same files give the same bytes and the same image id."""

from __future__ import annotations

import hashlib
import io
import json
import platform
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

MOMENT = 315_532_800  # 1980-01-01, in every header
CREATED = "1980-01-01T00:00:00Z"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def write_layer(root: Path, target: Path, modes: Mapping[str, int]) -> str:
    """Write a folder as one layer, owned by root, in sorted order; return its digest."""
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root).as_posix()
            tar.add(path, name, recursive=False, filter=lambda item, name=name: _header(item, modes.get(name)))  # type: ignore[misc]
    with target.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _header(item: tarfile.TarInfo, mode: int | None) -> tarfile.TarInfo:
    item.uid = item.gid = 0
    item.uname = item.gname = ""
    item.mtime = MOMENT
    item.mode = mode if mode is not None else plain_mode(item.mode, folder=item.isdir())
    return item


def plain_mode(mode: int, *, folder: bool) -> int:
    """Return what everybody may do with a file of an image: nobody may write, and no bit lends rights."""
    return 0o755 if folder else 0o555 if mode & 0o100 else 0o444


def write_image(layer: Path, digest: str, target: Path, *, tag: str, config: Mapping[str, Any]) -> None:
    """Write an archive as `docker load` reads it."""
    description: dict[str, Any] = {
        "architecture": ARCHITECTURES.get(platform.machine(), platform.machine()),
        "os": "linux",
        "created": CREATED,
        "config": config,
        "rootfs": {"type": "layers", "diff_ids": []},
        "history": [],
    }
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        _finish(tar, description, [], layer, digest, tag)


def extend_image(saved: Path, layer: Path, digest: str, target: Path, *, tag: str, labels: Mapping[str, str]) -> None:
    """Write the archive of an image that `docker save` gave, with one more layer and more labels."""
    with tarfile.open(saved) as base, tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        (manifest,) = json.loads(_read(base, "manifest.json"))
        description: dict[str, Any] = json.loads(_read(base, manifest["Config"]))
        description["config"]["Labels"] = {**(description["config"].get("Labels") or {}), **labels}
        names = [f"{part.removeprefix('sha256:')}/layer.tar" for part in description["rootfs"]["diff_ids"]]
        for source, name in zip(manifest["Layers"], names, strict=True):
            with _open(base, source) as file:
                _add(tar, name, file, base.getmember(source).size)
        _finish(tar, description, names, layer, digest, tag)


def _finish(
    tar: tarfile.TarFile, description: dict[str, Any], below: list[str], layer: Path, digest: str, tag: str
) -> None:
    """Add the last layer, the description that now counts it, and the manifest."""
    description["rootfs"]["diff_ids"].append(f"sha256:{digest}")
    description["history"].append({"created": CREATED, "created_by": "nucleate sandbox build"})
    text = json.dumps(description, sort_keys=True).encode("utf-8")
    name = f"{hashlib.sha256(text).hexdigest()}.json"
    manifest = [{"Config": name, "RepoTags": [tag], "Layers": [*below, f"{digest}/layer.tar"]}]
    with layer.open("rb") as file:
        _add(tar, f"{digest}/layer.tar", file, layer.stat().st_size)
    for item, data in ((name, text), ("manifest.json", json.dumps(manifest).encode("utf-8"))):
        _add(tar, item, io.BytesIO(data), len(data))


def _read(tar: tarfile.TarFile, name: str) -> bytes:
    with _open(tar, name) as file:
        return file.read()


def _open(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    file = tar.extractfile(name)
    if file is None:
        raise OSError(f"the saved image holds no file {name!r}")
    return file


def _add(tar: tarfile.TarFile, name: str, data: IO[bytes], size: int) -> None:
    header = tarfile.TarInfo(name)
    header.size, header.mtime, header.mode = size, MOMENT, 0o644
    tar.addfile(header, data)
