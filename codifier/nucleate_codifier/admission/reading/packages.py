"""Third-party packages of a candidate: imported means declared in its source (PEP 723), declared means locked.

The lock covers the candidate and all that it calls. Which module a package holds is known by its name, and for the few
well-known packages that call their module otherwise, by a table; nothing is downloaded to find out.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping

from nucleate_codifier.admission.reading.references import dependencies_of, reachable
from nucleate_codifier.admission.reading.source import quoted, read
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Lock, PackageError, closure_lock, read_requirements
from nucleate_tool_library import ToolVersion

MODULES: Mapping[str, str] = {
    "beautifulsoup4": "bs4",
    "attrs": "attr",
    "opencv-python": "cv2",
    "pillow": "PIL",
    "pyjwt": "jwt",
    "python-dateutil": "dateutil",
    "python-dotenv": "dotenv",
    "python-slugify": "slugify",
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
}
# A stub of such a name would stand before the type checker's own.
_RESERVED = frozenset({"typing_extensions", "mypy_extensions", "mypy"})
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def declared_modules(source: str) -> frozenset[str]:
    """Return the top-level modules of the packages that a module declares; none of the interpreter's own."""
    try:
        return frozenset(filter(_is_foreign, map(_module_of, read_requirements(source))))
    except PackageError:
        return frozenset()


def package_findings(subject: Subject) -> Iterator[Finding]:
    """Yield what is imported and not declared, declared and not imported or not locked, or locked for nothing."""
    try:
        own = read_requirements(subject.candidate.source)
        needed = read_requirements(subject.candidate.source, *_called(subject))
        lock = closure_lock(subject.candidate.lock, _locks(subject))
    except PackageError as error:
        yield _finding(
            "requirements", str(error), "write the block as PEP 723 says, and lock with nucleate_sandbox.lock"
        )
        return
    yield from _imports(subject, own)
    yield from _locked(lock, needed)


def imported_packages(source: str) -> Mapping[str, int]:
    """Return the dotted third-party modules that a source imports, and the line of each."""
    module = read(source).module
    found: dict[str, int] = {}
    for node in ast.walk(module) if module is not None else ():
        match node:
            case ast.Import(names=names):
                found |= {alias.name: node.lineno for alias in names if _is_foreign(alias.name)}
            case ast.ImportFrom(module=str() as name, level=0) if _is_foreign(name):
                found[name] = node.lineno
    return found


def _is_foreign(name: str) -> bool:
    top = name.partition(".")[0]
    return top not in sys.stdlib_module_names and top not in _RESERVED and not top.startswith(("_", "nucleate"))


def _imports(subject: Subject, own: tuple[str, ...]) -> Iterator[Finding]:
    used = imported_packages(subject.candidate.source)
    declared = {_module_of(text) for text in own}
    for name, line in used.items():
        if name.partition(".")[0] not in declared:
            yield _finding(
                "undeclared-package",
                f"the package of {quoted(name)} is imported and not declared",
                "declare it in the block '# /// script' (PEP 723), and lock it",
                line,
            )
    tops = {name.partition(".")[0] for name in used}
    for text in own:
        if _module_of(text) not in tops:
            yield _finding("unused-package", f"the package {quoted(text)} is declared and not imported", "leave it out")


def _locked(lock: Lock, needed: tuple[str, ...]) -> Iterator[Finding]:
    for text in lock.unmet(needed):
        yield _finding(
            "unlocked-package",
            f"the lock has no version that fulfils {quoted(text)}",
            "lock the packages of the tool and of all that it calls: nucleate_sandbox.lock",
        )
    if lock and not needed:
        extra = ", ".join(lock.pins)
        yield _finding(
            "needless-lock", f"nothing is declared, but the lock holds {quoted(extra)}", "leave the lock out"
        )


def _called(subject: Subject) -> list[str]:
    return [version.source for version in _closure(subject)]


def _locks(subject: Subject) -> list[str]:
    return [version.lock for version in _closure(subject)]


def _closure(subject: Subject) -> list[ToolVersion]:
    reached = reachable(dependencies_of(subject), subject.library)
    return [version for version in subject.library.tools.values() if version.id in reached]


def _module_of(requirement: str) -> str:
    """Return the module of a package; none for a package that only bears the name of a well-known one's module."""
    match = _NAME.match(requirement)
    name = re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""
    plain = name.replace("-", "_")
    return MODULES.get(name, "" if plain in MODULES.values() else plain)


def _finding(rule: str, message: str, fix: str, line: int | None = None) -> Finding:
    return Finding(rule=f"closure/{rule}", line=line, message=message[:200], fix=fix)
