"""Writes an export into a folder; what is not its own there, or was edited since, stays as it is."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nucleate.errors import InputInvalid
from nucleate_sandbox import JsonError, parse

MANIFEST = ".nucleate-export.json"
_PART = re.compile(r"[A-Za-z0-9_.-]{1,120}")


@dataclass(frozen=True, kw_only=True)
class Written:
    """What became of an export's files, as paths from its folder: new or changed, as they were, and taken away."""

    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def write_folder(files: Mapping[str, str], to: Path, *, kind: str, partial: bool = False) -> Written:
    """Write text files as UTF-8 with line feeds, and a list of them with their hashes.

    What an earlier export of this kind wrote, nobody edited, and this one does not hold is removed, unless it is a
    `partial` one; `kept` names what was edited. Raises InputInvalid, before anything is written, for a file that is in
    the way.
    """
    root = to.resolve()
    known = _manifest(root, kind)
    _check(files, root, known)
    stale = {} if partial else {path: mark for path, mark in known.items() if path not in files}
    changed = [path for path in sorted(files) if _hash_at(root / path) != _hash(files[path])]
    for path in changed:
        _write(root / path, files[path])
    removed = [path for path in sorted(stale) if _is_reachable(root, path) and _remove(root, path, stale[path])]
    kept = [path for path in sorted(stale) if _is_reachable(root, path) and (root / path).exists()]
    hashes = {path: _hash(text) for path, text in files.items()}
    left = {path: mark for path, mark in known.items() if partial or path in kept}
    _write(root / MANIFEST, _manifest_text(kind, {**left, **hashes}))
    unchanged = tuple(path for path in sorted(files) if path not in changed)
    return Written(written=tuple(changed), unchanged=unchanged, removed=tuple(removed), kept=tuple(kept))


def settle(folder: Path, files: Mapping[str, str], *, taken: Iterable[str], kind: str) -> bool:
    """Write files into a folder of an export; what was `taken` from it is as good as exported from now on.

    Returns False, and writes nothing, where the folder belongs to no export.
    """
    root = next((place for place in (folder, *folder.parents) if (place / MANIFEST).is_file()), None)
    if root is None:
        return False
    try:
        known, inside = _manifest(root, kind), folder.relative_to(root).as_posix()
    except InputInvalid:  # another kind of export around it, which is not this one's to change
        return False
    for name, text in files.items():
        if not _is_reachable(root, f"{inside}/{name}"):
            return False
        _write(folder / name, text)
    marks = {f"{inside}/{name}": _hash_at(folder / name) for name in (*files, *taken)}
    held = {path: mark for path, mark in marks.items() if mark is not None}
    _write(root / MANIFEST, _manifest_text(kind, {**known, **held}))
    return True


def is_part(name: str) -> bool:
    """Return whether a name may be one file or folder of an export, on any machine."""
    return _PART.fullmatch(name) is not None and name.strip(".") != ""


def links(root: Path) -> Iterator[str]:
    """Yield every symbolic link below a folder, as a path from it."""
    for folder, folders, names in os.walk(root, followlinks=False):
        for name in sorted([*folders, *names]):
            path = Path(folder) / name
            if path.is_symlink():
                yield path.relative_to(root).as_posix()


def _manifest(root: Path, kind: str) -> dict[str, str]:
    path = root / MANIFEST
    if not path.exists() and not path.is_symlink():
        return {}
    try:
        content = parse(path.read_bytes()) if not path.is_symlink() else None
    except (OSError, JsonError) as error:
        raise InputInvalid(f"{str(path)!r} cannot be read ({error}); export into another folder") from error
    files = content.get("files") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(files, dict):
        raise InputInvalid(f"{str(path)!r} is no list of an export; export into another folder")
    if content.get("kind") != kind:
        raise InputInvalid(f"{str(root)!r} holds an export of the format {content.get('kind')!r}; name another folder")
    return {path: str(mark) for path, mark in files.items()}


def _manifest_text(kind: str, files: Mapping[str, str]) -> str:
    return json.dumps({"kind": kind, "files": dict(sorted(files.items()))}, indent=2) + "\n"


def _check(files: Mapping[str, str], root: Path, known: Mapping[str, str]) -> None:
    for path in files:
        if not all(map(is_part, path.split("/"))):
            raise InputInvalid(f"{path!r} is no path for an export; rename what it comes from")
    in_the_way = [reason for path in sorted(files) for reason in _reasons(files[path], root, path, known.get(path))]
    if in_the_way:
        more = f"; {len(in_the_way) - 3} more" if len(in_the_way) > 3 else ""
        raise InputInvalid(f"nothing was written to {str(root)!r}: {'; '.join(in_the_way[:3])}{more}")


def _reasons(text: str, root: Path, path: str, mark: str | None) -> Iterable[str]:
    if not _is_reachable(root, path):
        return [f"{path!r} is, or lies behind, a symbolic link or a file"]
    found = _hash_at(root / path)
    if found is None and (root / path).exists():
        return [f"{path!r} is a folder"]
    if found in (None, mark, _hash(text)):
        return []
    if mark is None:
        return [f"{path!r} is there already and not from an export"]
    return [f"{path!r} was edited since the last export; import it first, or export elsewhere"]


def _is_reachable(root: Path, path: str) -> bool:
    """Return whether a path leads to a place below the root, through real folders alone."""
    parts = path.split("/")
    if not all(map(is_part, parts)):
        return False
    at = root
    for part in parts[:-1]:
        at = at / part
        if at.is_symlink() or (at.exists() and not at.is_dir()):
            return False
    return not (root / path).is_symlink()


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
            file.write(text.encode("utf-8"))
        Path(file.name).chmod(0o644)
        Path(file.name).replace(path)
    except OSError as error:
        raise InputInvalid(f"{str(path)!r} cannot be written ({error.strerror}); choose another folder") from error


def _remove(root: Path, path: str, mark: str) -> bool:
    if _hash_at(root / path) != mark:
        return False
    (root / path).unlink()
    with contextlib.suppress(OSError):  # a folder with something else in it stays
        for folder in (root / path).parents:
            if folder == root:
                break
            folder.rmdir()
    return True


def _hash(text: str) -> str:
    return _hash_bytes(text.encode("utf-8", "surrogatepass"))


def _hash_bytes(data: bytes) -> str:
    """A checkout that writes line ends as another system does has edited nothing."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def _hash_at(path: Path) -> str | None:
    try:
        return _hash_bytes(path.read_bytes())
    except OSError:
        return None
