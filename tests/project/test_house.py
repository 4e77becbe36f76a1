"""The house: small folders, arrows that point one way, and one name for one thing."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from scripts.house import FOLDERS, ROOT, classes, cycles, edges, read_modules, rooms
from tests.project.places import tracked

MODULES = read_modules()
PACKAGES = [name for name, module in MODULES.items() if module.is_package]
FILED = [path for path in tracked() if path.suffix == ".py" and ROOT / "examples" not in path.parents]


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    """Return what each module imports."""
    return edges(MODULES)


def test_at_most_25_modules_stand_in_one_folder() -> None:
    counted = Counter(str(path.parent.relative_to(ROOT)) for path in FILED)
    assert {folder: count for folder, count in counted.items() if count > 25} == {}


def test_no_four_modules_of_a_folder_begin_with_the_same_word() -> None:
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in FILED:
        stem = path.stem.removeprefix("test_")
        names[(str(path.parent.relative_to(ROOT)), stem.partition("_")[0])].append(path.stem)
    crowds = {key: sorted(set(stems)) for key, stems in names.items() if key[1] and _rooms_for(stems) > 3}
    assert crowds == {}


def test_no_module_is_imported_by_what_it_imports(imports: dict[str, set[str]]) -> None:
    assert cycles(imports) == []


@pytest.mark.parametrize("folder", PACKAGES)
def test_nothing_in_a_folder_imports_what_is_built_on_it(folder: str, imports: dict[str, set[str]]) -> None:
    assert cycles(rooms(folder, imports)) == []


@pytest.mark.parametrize("package", FOLDERS)
def test_no_two_modules_of_a_package_share_a_name(package: str) -> None:
    own = [m for m in MODULES.values() if m.name.startswith(f"{package}.") and not m.is_package and not m.is_carried]
    counted = Counter(module.path.stem for module in own if module.path.stem != "__main__")
    assert [name for name, count in counted.items() if count > 1] == []


def test_no_two_public_classes_of_the_product_share_a_name() -> None:
    found = {name: places for name, places in classes(MODULES).items() if len(places) > 1 and not name.startswith("_")}
    assert found == {}


@pytest.mark.parametrize("package", FOLDERS)
def test_no_two_private_classes_of_a_package_share_a_name(package: str) -> None:
    own = {name: module for name, module in MODULES.items() if name.split(".")[0] == package}
    assert {name: places for name, places in classes(own).items() if len(places) > 1} == {}


def _rooms_for(stems: list[str]) -> int:
    """Return how many modules a prefix has; a test and the helper of its name are one."""
    return len({stem.removeprefix("test_") for stem in stems})
