"""A remembered verdict stands for the judge that reached it: its own code, and the libraries that it asks."""

from __future__ import annotations

from nucleate_codifier.admission.fingerprint import CODE, LIBRARIES
from nucleate_codifier.gates import TABLE
from tests.project.imports import OWN, distributions, imported, modules_of, reached

ADMISSION = "nucleate_codifier.admission"
# What decides nothing: it installs what a lock names, talks to the engine, or runs in the image, which has a tag.
NO_JUDGES = {"docker", "pytest", "requests", "urllib3", "uv"}
MONTY = "pydantic-monty"  # its module comes in a package of another name, which it pins


def judging() -> frozenset[str]:
    """Return the modules that judge: the gates with what they import, and the packages that run and read for them."""
    gates = {f"{ADMISSION}.{row.function.partition(':')[0]}" for row in TABLE}
    own = {name for name in reached(gates | {f"{ADMISSION}.admit"}) if name.startswith("nucleate_codifier")}
    return frozenset(
        {
            *own,
            *modules_of("nucleate_sandbox"),
            *modules_of(ADMISSION),
            *modules_of("nucleate_tool_library.source"),
            "nucleate_text_memory.redaction.detectors",
        }
    )


def test_the_version_of_every_library_that_a_gate_asks_is_part_of_a_fingerprint() -> None:
    asked = distributions(judging()) - NO_JUDGES - {f"{MONTY}-client"}
    assert asked <= {name.lower() for name in LIBRARIES}, asked


def test_no_library_is_part_of_a_fingerprint_that_no_gate_asks() -> None:
    assert {name.lower() for name in LIBRARIES} - {"nucleate", MONTY} <= distributions(judging())


def test_the_code_of_every_module_that_a_gate_imports_is_part_of_a_fingerprint() -> None:
    gates = {name for name in judging() if name.startswith("nucleate_codifier")}
    own = {name for module in gates for name in imported(module) if name.partition(".")[0] in OWN}
    assert {name for name in own if not name.startswith(CODE)} == set()
