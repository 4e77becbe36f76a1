"""Third-party packages of a program: declared in its source (PEP 723), pinned by a lock of hashes."""

from __future__ import annotations

import hashlib
import platform
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

OPEN, CLOSE = "# /// script", "# ///"
KEYS = frozenset({"dependencies", "requires-python"})
PIN = re.compile(
    r"(?<![a-z0-9-])([a-z0-9]++(?:-[a-z0-9]++)*+)==([0-9][A-Za-z0-9.!+_-]*)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n"
)
MAX_LOCK = 1_000_000


class PackageError(ValueError):
    """Packages are declared or locked in a way that cannot be used. The message names it and the next step."""


@dataclass(frozen=True, kw_only=True)
class Lock:
    """Exact versions and the hashes of their files, as text; nothing else fits in, no address and no option.

    A lock without a pin is false: it stands for a program that needs the standard library alone.
    """

    text: str

    def __post_init__(self) -> None:
        if len(self.text) > MAX_LOCK or "".join(match.group() for match in PIN.finditer(self.text)) != self.text:
            raise PackageError(
                f"the lock {_short(self.text)} is not a list of 'name==version' with sha256 hashes; "
                "make it with nucleate_sandbox.lock()"
            )

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def sha256(self) -> str:
        """Return the hash that names the lock: 64 hexadecimal digits."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()

    @property
    def pins(self) -> Mapping[str, str]:
        """Return the version of each package."""
        return {match[1]: match[2] for match in PIN.finditer(self.text)}

    def unmet(self, requirements: Iterable[str]) -> tuple[str, ...]:
        """Return the requirements that no pin fulfils."""
        pins = self.pins
        return tuple(text for text in requirements if not _met(_requirement(text), pins))


NO_PACKAGES = Lock(text="")


def _met(requirement: Requirement, pins: Mapping[str, str]) -> bool:
    if requirement.marker is not None and not requirement.marker.evaluate():
        return True
    version = pins.get(canonicalize_name(requirement.name))
    return version is not None and requirement.specifier.contains(version, prereleases=True)


def read_requirements(*sources: str) -> tuple[str, ...]:
    """Return what the sources of a program and of all that it calls declare, in order and each once."""
    return tuple(sorted({item for source in sources for item in _declared(source)}))


def closure_lock(own: str, dependencies: Iterable[str]) -> Lock:
    """Return the lock for a program: its own text where it has one, else all of those of what it calls.

    Its own is over everything that it calls already. Two of the others that pin one package differently are
    a PackageError.
    """
    if own:
        return Lock(text=own)
    pins: dict[str, str] = {}
    for text in dependencies:
        for match in PIN.finditer(Lock(text=text).text):
            if pins.setdefault(match[1], match.group()) != match.group():
                raise PackageError(
                    f"{match[1]!r} is locked as {match[2]!r} and as something else; lock the caller's packages too"
                )
    return Lock(text="".join(pins[name] for name in sorted(pins)))


def _declared(source: str) -> list[str]:
    block = _block(source)
    try:
        table = tomllib.loads(block)
    except tomllib.TOMLDecodeError as error:
        raise PackageError(f"the block '{OPEN}' is not TOML: {error}; correct it") from error
    if unknown := sorted(table.keys() - KEYS):
        raise PackageError(f"the block '{OPEN}' has {unknown[0]!r}; only {' and '.join(sorted(KEYS))} may stand there")
    _check_python(table.get("requires-python", ""))
    found = table.get("dependencies", [])
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise PackageError(f"dependencies = {found!r} is not a list of texts; write dependencies = ['name>=1']")
    return [read_requirement(item) for item in found]


def _block(source: str) -> str:
    """Return the TOML text of the one block, or nothing where there is none."""
    lines = [line.removesuffix("\r") for line in source.split("\n")]
    starts = [number for number, line in enumerate(lines) if line == OPEN]
    if not starts:
        return ""
    if len(starts) > 1:
        raise PackageError(f"the block '{OPEN}' stands in lines {starts[0] + 1} and {starts[1] + 1}; keep one of them")
    comments = list(takewhile(lambda line: line == "#" or line.startswith("# "), lines[starts[0] + 1 :]))
    if CLOSE not in comments:
        raise PackageError(f"the block '{OPEN}' in line {starts[0] + 1} has no end; add a line '{CLOSE}'")
    end = len(comments) - comments[::-1].index(CLOSE) - 1
    return "\n".join(line[2:] for line in comments[:end])


def _check_python(wanted: object) -> None:
    try:
        fits = SpecifierSet(str(wanted)).contains(platform.python_version(), prereleases=True)
    except InvalidSpecifier as error:
        raise PackageError(f"requires-python = {wanted!r} is not a range of versions; write '>=3.11'") from error
    if not fits:
        raise PackageError(f"requires-python = {wanted!r} leaves out {platform.python_version()}, which runs here")


def read_requirement(text: str) -> str:
    """Return one requirement in its usual spelling; raise PackageError for what is none, or names a place."""
    return str(_requirement(text))


def _requirement(text: str) -> Requirement:
    try:
        requirement = Requirement(text)
    except InvalidRequirement as error:
        raise PackageError(f"{_short(text)} is not a requirement; write 'name' or 'name>=1.2'") from error
    if requirement.url is not None:
        raise PackageError(f"{_short(text)} names a place; name a package, which the lock pins by its hash")
    return requirement


def _short(text: str) -> str:
    return repr(text if len(text) <= 100 else f"{text[:99]}…")
