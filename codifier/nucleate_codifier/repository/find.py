"""Finds the tool modules of a repository and reads each with its evidence, tests and lock."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nucleate_codifier.repository.files import UnreadableFile, read_text, root_of, shown
from nucleate_codifier.repository.project import Opened, Projects
from nucleate_codifier.repository.project_values import ReadFunctions, RepositoryError, ToolFile
from nucleate_codifier.repository.records import read_examples
from nucleate_codifier.values import Candidate, Evidence

EXAMPLES = ".examples.jsonl"
LOCK = ".requirements.txt"
TESTS = "tests"
NOT_TOOLS = frozenset({"conftest.py", "setup.py", "noxfile.py"})
NOT_FOLDERS = frozenset({"__pycache__", "node_modules", "venv"})


@dataclass(frozen=True, kw_only=True)
class Repository:
    """Every tool of the repository that counts here, by path, and the paths of those that were asked for."""

    root: Path
    tools: tuple[ToolFile, ...]
    asked: frozenset[str]


def open_repository(
    paths: Iterable[Path], *, read_functions: ReadFunctions, besides: frozenset[str] = frozenset()
) -> Repository:
    """Read the tools under these paths, and those beside them that they may call.

    Without a path, the folders that `tools` of the nearest configuration names; `besides` are keys of the same table
    that others read. Raises RepositoryError.
    """
    given = [path.resolve() if path.exists() else _missing(path) for path in paths]
    root = root_of(given[0] if given else Path.cwd())
    projects = Projects(root, read_functions, besides=besides)
    given = given or _configured(projects)
    asked = {path for place in given for path in _modules(place, projects)}
    if not asked:
        names = ", ".join(repr(shown(place, root)) for place in given)
        raise RepositoryError(f"no tool module in {names}; a tool is a file NAME.py with one public function NAME")
    beside = {path for place in _neighbours(given, projects) for path in _modules(place, projects)}
    tools = [_tool(path, projects) for path in sorted(asked | beside)]
    _check_names(tools)
    return Repository(root=root, tools=tuple(tools), asked=frozenset(shown(path, root) for path in asked))


def belongs_to(path: str) -> tuple[str, ...]:
    """Return the files, as paths from the root, whose change changes the tool at this path."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".py")
    names = (name, f"test_{name}", f"{stem}{EXAMPLES}", f"{stem}{LOCK}")
    return tuple(f"{folder}/{item}" if folder else item for item in names)


def is_test_of(path: str, tool: str) -> bool:
    """Return whether a path is a test file of the tool at another one: it lies in `tests` of the tool's own folder."""
    own, name = PurePosixPath(tool).parent, PurePosixPath(path).name
    is_test = name.startswith("test_") and name.endswith(".py")
    return is_test and PurePosixPath(path).parent == own / TESTS and own.name == PurePosixPath(tool).stem


def _missing(path: Path) -> Path:
    raise RepositoryError(f"there is no {str(path)!r}; check the path")


def _configured(projects: Projects) -> list[Path]:
    project = projects.of(Path.cwd()).project
    folders = [project.folder / name for name in project.tools]
    if not folders:
        raise RepositoryError('name a path, or the folders of the tools: tools = ["tools"] in [tool.nucleate]')
    return [folder.resolve() if folder.exists() else _missing(folder) for folder in folders]


def _neighbours(given: Iterable[Path], projects: Projects) -> Iterator[Path]:
    """Yield where the tools may be that the given ones call: beside a file, and the project's own folders."""
    for place in given:
        folder = place if place.is_dir() else place.parent
        yield folder
        project = projects.of(folder).project
        yield from (path.resolve() for name in project.tools if (path := project.folder / name).exists())


def _modules(place: Path, projects: Projects) -> Iterator[Path]:
    shown(place, projects.root)  # what lies elsewhere is an error before anything there is looked at
    if not place.is_dir():
        yield _tool_of(place, projects.root)
        return
    for path in sorted(place.rglob("*.py")):
        inside = path.relative_to(place).parts
        if _is_tool(path.name) and not any(_is_hidden(part) for part in inside[:-1]) and not _excluded(path, projects):
            yield path


def _tool_of(path: Path, root: Path) -> Path:
    """Return the tool that a named file belongs to: its module, a test, its examples or its lock."""
    name = path.name.removesuffix(EXAMPLES).removesuffix(LOCK).removesuffix(".py").removeprefix("test_")
    tool = path.with_name(f"{name}.py")
    owner = path.parent.parent / f"{path.parent.parent.name}.py"
    if is_test_of(path.as_posix(), owner.as_posix()):
        tool = owner
    if not (tool.exists() or tool.is_symlink()) or not _is_tool(tool.name):
        raise RepositoryError(f"{shown(path, root)} is no tool, and there is no tool {tool.name!r} beside it")
    return tool


def _is_tool(name: str) -> bool:
    return not name.startswith(("_", ".", "test_")) and name not in NOT_TOOLS


def _is_hidden(part: str) -> bool:
    return part.startswith(".") or part in NOT_FOLDERS


def _excluded(path: Path, projects: Projects) -> bool:
    project = projects.of(path.parent).project
    place = path.relative_to(project.folder).as_posix()
    return any(fnmatch.fnmatchcase(place, pattern) for pattern in project.exclude)


def _tool(path: Path, projects: Projects) -> ToolFile:
    opened = projects.of(path.parent)
    place = shown(path, projects.root)
    try:
        candidate, evidence = _candidate(path, place, opened), _evidence(path, projects.root, opened)
    except UnreadableFile as error:  # it costs itself; the others are judged, and the report is written
        nothing = Candidate(name=path.stem, scope=opened.project.environment.name, source="")
        return ToolFile(path=place, project=opened.project, candidate=nothing, evidence=Evidence(), fault=str(error))
    return ToolFile(path=place, project=opened.project, candidate=candidate, evidence=evidence)


def _candidate(path: Path, place: str, opened: Opened) -> Candidate:
    lock = path.with_name(f"{path.stem}{LOCK}")
    beside = place.removesuffix(path.name)
    tests = {item.name: read_text(item, f"{beside}{item.relative_to(path.parent).as_posix()}") for item in _tests(path)}
    return Candidate(
        name=path.stem,
        scope=opened.project.environment.name,
        source=read_text(path, place),
        tests=tests,
        lock=read_text(lock, f"{beside}{lock.name}") if lock.exists() else "",
    )


def _tests(path: Path) -> list[Path]:
    """Return the test file beside a tool and, in a folder of the tool's own, those of its folder `tests`."""
    beside, folder = path.with_name(f"test_{path.name}"), path.parent / TESTS
    inside = sorted(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []
    own = [
        item
        for item in inside
        if not (beside.exists() and item.name == beside.name) and is_test_of(item.as_posix(), path.as_posix())
    ]
    return [*([beside] if beside.exists() else []), *own]


def _evidence(path: Path, root: Path, opened: Opened) -> Evidence:
    examples = path.with_name(f"{path.stem}{EXAMPLES}")
    if not examples.exists():
        return Evidence()
    place = shown(examples, root)
    return read_examples(read_text(examples, place), place, opened.recordings)


def _check_names(tools: Iterable[ToolFile]) -> None:
    known: dict[tuple[str, str], str] = {}
    for tool in tools:
        other = known.setdefault(tool.key, tool.path)
        if other != tool.path:
            raise RepositoryError(
                f"{tool.path} and {other} have the same name {tool.name!r} in the environment "
                f"{tool.candidate.scope!r}; rename one of them"
            )
