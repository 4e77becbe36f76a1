"""Opens a project: its environment with the recordings, and its policy, from the nearest configuration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from nucleate_codifier.repository.config import Config, nearest_config, read_config
from nucleate_codifier.repository.files import nearest, read_text
from nucleate_codifier.repository.project_values import DescribedFunctions, Project, ReadFunctions, RepositoryError
from nucleate_codifier.repository.records import Recordings, read_recordings
from nucleate_codifier.values import AdmissionPolicy, EnvironmentView
from nucleate_sandbox import Call, Effect, FunctionSpec, RecordedEnvironment


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A project with its recordings, which examples may refer to."""

    project: Project
    recordings: Recordings


class Projects:
    """Opens each project of one repository once."""

    def __init__(self, root: Path, read_functions: ReadFunctions, *, besides: frozenset[str] = frozenset()) -> None:
        self.root = root
        self._read_functions = read_functions
        self._besides = besides
        self._opened: dict[Path | None, Opened] = {}

    def of(self, folder: Path) -> Opened:
        """Return the project of a folder; one without any configuration has no environment."""
        place = nearest_config(folder, self.root)
        if place not in self._opened:
            self._opened[place] = self._bare() if place is None else self._open(place)
        return self._opened[place]

    def _bare(self) -> Opened:
        view = EnvironmentView(name="tools", functions={})
        project = Project(folder=self.root, environment=view, policy=AdmissionPolicy())
        return Opened(project=project, recordings=Recordings({}))

    def _open(self, place: Path) -> Opened:
        config, policy = read_config(place, self.root, besides=self._besides)
        shown = place.relative_to(self.root).as_posix()
        environment = self._functions(place.parent, config)
        functions = _with_effects(environment.functions, config, shown)
        _check_approvals(config, functions, shown)
        files = sorted(self._files(place.parent, config.recordings, shown))
        recordings = Recordings(functions, self._calls(files, functions))
        own = [place, *([place.parent / config.environment] if config.environment else []), *files]
        project = Project(
            folder=place.parent,
            environment=_view(environment.name, recordings),
            policy=policy,
            tools=tuple(config.tools),
            exclude=tuple(config.exclude),
            inputs=tuple(self._inputs(own)),
        )
        return Opened(project=project, recordings=recordings)

    def _functions(self, folder: Path, config: Config) -> DescribedFunctions:
        if config.environment is None:
            return DescribedFunctions(name=config.name or "tools", functions={})
        path = folder / config.environment
        shown = self._shown(path)
        try:
            return self._read_functions(read_text(path, shown), config.name or _stem(path))
        except RepositoryError:
            raise
        except ValueError as error:
            raise RepositoryError(f"{shown}: {error}") from error

    def _files(self, folder: Path, patterns: Iterable[str], shown: str) -> Iterator[Path]:
        for pattern in patterns:
            if not pattern or Path(pattern).is_absolute():
                raise RepositoryError(f"{shown}: recordings: {pattern!r} is no pattern; lead from this file's folder")
            found = sorted(path for path in folder.glob(pattern) if path.is_file())
            if not found:
                raise RepositoryError(f"{shown}: recordings: no file is named {pattern!r}; correct the path")
            yield from found

    def _calls(self, files: Iterable[Path], functions: Mapping[str, FunctionSpec]) -> Iterator[Call]:
        for path in files:
            shown = self._shown(path)
            yield from read_recordings(read_text(path, shown), shown, functions)

    def _inputs(self, paths: Iterable[Path]) -> Iterator[str]:
        return (self._shown(path) for path in paths)

    def _shown(self, path: Path) -> str:
        try:
            return path.resolve().relative_to(self.root).as_posix()
        except ValueError as error:
            raise RepositoryError(f"{path.name!r} lies outside the repository; move it into it") from error


def _view(name: str, recordings: Recordings) -> EnvironmentView:
    live = RecordedEnvironment(name, recordings.functions, recordings.calls) if recordings.calls else None
    return EnvironmentView(name=name, functions=recordings.functions, live=live)


def _with_effects(functions: Mapping[str, FunctionSpec], config: Config, shown: str) -> dict[str, FunctionSpec]:
    changed = dict(functions)
    for name, effect in config.effects.items():
        if name not in functions:
            raise RepositoryError(f"{shown}: effects: no function is named {name!r}{nearest(name, functions)}")
        changed[name] = replace(functions[name], effect=effect)
    return changed


def _check_approvals(config: Config, functions: Mapping[str, FunctionSpec], shown: str) -> None:
    for name in config.approvals:
        if name not in functions:
            raise RepositoryError(f"{shown}: approvals: no function is named {name!r}{nearest(name, functions)}")
        if functions[name].effect is not Effect.DESTRUCTIVE:
            raise RepositoryError(f"{shown}: approvals: {name!r} is not destructive; take the approval away")


def _stem(path: Path) -> str:
    return path.name.partition(".")[0]
