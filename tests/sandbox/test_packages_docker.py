"""Locked packages in containers: there for the program that declares them, and for no other."""

from __future__ import annotations

import docker
import pytest

from nucleate_sandbox import DockerSandbox, Lock, Module, PackageError, lock, read_requirements
from nucleate_sandbox.docker import image_tag
from tests.sandbox.docker.programs import DEFAULT

pytestmark = pytest.mark.docker

PURE = """# /// script
# dependencies = ["humanize==4.12.3", "python-slugify==8.0.4"]
# ///
import humanize
from slugify import slugify

def tool(number, text):
    return [humanize.intcomma(number), slugify(text)]
"""
COMPILED = """# /// script
# dependencies = ["rapidfuzz==3.13.0"]
# ///
from rapidfuzz.distance import metrics_cpp

def tool(left, right):
    return metrics_cpp.levenshtein_distance(left, right)
"""
WHERE = """
import importlib.util

def tool():
    return [name for name in ("humanize", "rapidfuzz", "pytest", "pip") if importlib.util.find_spec(name)]
"""


@pytest.fixture(scope="module")
def pure() -> Lock:
    return lock(read_requirements(PURE))


def test_a_tool_uses_a_package_that_it_declared(docker_sandbox: DockerSandbox, pure: Lock) -> None:
    with docker_sandbox.open(packages=pure, limits=DEFAULT) as session:
        outcome = session.call(Module(name="tool", source=PURE), "tool", {"number": 1234567, "text": "Ünï & code"})
    assert outcome.value == ["1,234,567", "uni-code"]


def test_a_compiled_wheel_runs(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open(packages=lock(read_requirements(COMPILED)), limits=DEFAULT) as session:
        outcome = session.call(Module(name="tool", source=COMPILED), "tool", {"left": "kitten", "right": "sitting"})
    assert (outcome.failure, outcome.value) == (None, 3)


def test_a_session_sees_its_own_packages_alone(docker_sandbox: DockerSandbox, pure: Lock) -> None:
    module = Module(name="tool", source=WHERE)
    with docker_sandbox.open(packages=pure) as with_packages, docker_sandbox.open() as without:
        found = [session.call(module, "tool", {}).value for session in (with_packages, without, with_packages)]
        assert (with_packages.run("import humanize").failure, found) == (None, [["humanize"], [], ["humanize"]])


def test_a_suite_calls_a_tool_that_has_packages(docker_sandbox: DockerSandbox, pure: Lock) -> None:
    test = "def test_it():\n    assert tool(number=1000, text='A b') == ['1,000', 'a-b']\n"
    with docker_sandbox.open(packages=pure, limits=DEFAULT) as session:
        report = session.test(Module(name="tool", source=PURE), {"test_it.py": test})
    assert [(case.name, case.passed) for case in report.cases] == [("test_it.py::test_it", True)]


def test_the_image_is_made_once_and_carries_the_hash_of_the_lock(docker_sandbox: DockerSandbox, pure: Lock) -> None:
    client = docker.from_env()
    try:
        docker_sandbox.open(packages=pure).close()
        image = client.images.get(image_tag(pure))
        docker_sandbox.open(packages=pure).close()
        assert client.images.get(image_tag(pure)).id == image.id
        assert image.labels["org.nucleate.packages"] == pure.sha256
        assert image.tags == [f"{image_tag()}-{pure.sha256[:12]}"]
    finally:
        client.close()


def test_what_cannot_be_had_as_a_wheel_is_refused_by_name() -> None:
    with pytest.raises(PackageError, match=r"^the packages cannot be had as wheels \(.*humanize.*\); change the req"):
        lock(["humanize<0.0.1"])
