"""The configuration file: the nearest `nucleate.toml`, or `[tool.nucleate]` in the nearest pyproject.toml."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nucleate.errors import InputInvalid

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

NAMES = ("nucleate.toml", "pyproject.toml")
# The marker of a setting that is a path: written in a file, it leads from the file's own folder.
PATH: dict[str, Any] = {"path": True}


@dataclass(frozen=True, kw_only=True)
class ConfigFile:
    """A file and what it sets, as it is written there."""

    path: Path
    values: Mapping[str, Any]


def nearest_file(folder: Path) -> ConfigFile | None:
    """Return the nearest configuration, from a folder upwards; in one folder `nucleate.toml` counts first."""
    for place in (folder, *folder.parents):
        for name in NAMES:
            values = _table(place / name)
            if values is not None:
                return ConfigFile(path=place / name, values=values)
    return None


def read_settings(
    file: ConfigFile, fields: Mapping[str, FieldInfo], *, besides: Callable[[], Collection[str]] = tuple
) -> dict[str, Any]:
    """Return the settings that a file names, paths led from its folder; `besides` gives the keys that others read."""
    for key in sorted(file.values.keys() - fields.keys()):
        if file.path.name == NAMES[0] or key not in besides():
            raise InputInvalid(_unknown(file, key, fields, besides()))
    chosen = {key: value for key, value in file.values.items() if key in fields}
    return {key: _led(value, file.path.parent) if _is_path(fields[key]) else value for key, value in chosen.items()}


def _table(path: Path) -> Mapping[str, Any] | None:
    if not path.is_file():
        return None
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        if path.name != NAMES[0]:
            return None  # somebody else's file; whoever owns it says so
        raise InputInvalid(f"{str(path)!r} is not TOML ({error}); correct it") from error
    except OSError as error:
        raise InputInvalid(f"{str(path)!r} cannot be read ({error.strerror}); check its permissions") from error
    if path.name == NAMES[0]:
        return content
    tool = content.get("tool")
    table = tool.get("nucleate") if isinstance(tool, dict) else None
    return table if isinstance(table, dict) else None


def _unknown(file: ConfigFile, key: str, fields: Collection[str], besides: Collection[str]) -> str:
    where = f"{str(file.path)!r} sets {key!r}"
    if key in besides:
        return f"{where}, which belongs to [tool.nucleate] in pyproject.toml; move it there"
    near = difflib.get_close_matches(key, fields, n=1)
    advice = f"did you mean {near[0]!r}?" if near else "`nucleate config show` lists every setting"
    return f"{where}, which is no setting; {advice}"


def _is_path(field: FieldInfo) -> bool:
    return field.json_schema_extra == PATH


def _led(value: Any, folder: Path) -> Any:
    if not isinstance(value, str) or "://" in value:
        return value
    return str(folder / Path(value).expanduser())
