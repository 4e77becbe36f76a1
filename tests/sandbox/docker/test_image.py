"""The image: its tag says what is in it, the same files give the same bytes, and nothing superfluous is inside."""

from __future__ import annotations

import json
import tarfile
from importlib.resources import files
from pathlib import Path

import docker
import pytest

from nucleate_sandbox import DockerSandbox, ImageMissing
from nucleate_sandbox.docker import build_image, image_tag
from nucleate_sandbox.docker.images.archive import write_image, write_layer
from nucleate_sandbox.docker.images.image import require_image, write_archive
from nucleate_sandbox.docker.images.rootfs import PYTHON, STDLIB
from nucleate_sandbox.docker.images.tags import ENTRYPOINT, INPUTS
from nucleate_sandbox.docker.labels import PRODUCT
from tests.sandbox.docker.programs import call


def test_the_tag_is_the_repository_and_twelve_digits() -> None:
    name, _, digits = image_tag().partition(":")
    assert (name, len(digits), int(digits, 16) >= 0) == ("nucleate-sandbox", 12, True)


def test_the_same_files_give_the_same_archive(tmp_path: Path) -> None:
    archives = []
    for turn, order in enumerate((("b", "a"), ("a", "b"))):
        root = tmp_path / str(turn)
        (root / "folder").mkdir(parents=True)
        for name in order:
            (root / "folder" / name).write_text(name, encoding="utf-8")
        layer, image = tmp_path / f"{turn}.layer", tmp_path / f"{turn}.image"
        digest = write_layer(root, layer, {"folder/a": 0o711})
        write_image(layer, digest, image, tag="x:1", config={"User": "1:1"})
        archives.append(image.read_bytes())
    assert archives[0] == archives[1]


def test_a_layer_holds_names_in_order_owned_by_root_and_not_writable(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "z").mkdir(parents=True)
    (root / "z" / "program").write_text("", encoding="utf-8")
    (root / "a").write_text("", encoding="utf-8")
    write_layer(root, tmp_path / "layer", {"z/program": 0o711})
    with tarfile.open(tmp_path / "layer") as tar:
        assert [(item.name, item.uid, oct(item.mode)) for item in tar] == [
            ("a", 0, "0o444"),
            ("z", 0, "0o755"),
            ("z/program", 0, "0o711"),
        ]


def test_the_list_of_system_calls_denies_by_default() -> None:
    profile = json.loads((files("nucleate_sandbox") / "image" / "seccomp.json").read_text("utf-8"))
    allowed = {name for rule in profile["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW" for name in rule["names"]}
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert not allowed & {"ptrace", "mount", "unshare", "setns", "bpf", "io_uring_setup", "memfd_create", "keyctl"}


def test_the_guest_imports_the_standard_library_and_itself_alone() -> None:
    guest = files("nucleate_sandbox") / "guest"
    texts = {item.name: item.read_text("utf-8") for item in guest.iterdir() if item.name.endswith(".py")}
    assert [name for name, text in texts.items() if "nucleate_sandbox" in text] == []


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_archive(tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="module")
def names(archive: Path) -> set[str]:
    """Return the names of all files in the image, folder by folder."""
    with tarfile.open(archive) as outer:
        layer = next(item for item in outer if item.name.endswith("/layer.tar"))
        with tarfile.open(fileobj=outer.extractfile(layer)) as inner:
            return set(inner.getnames())


@pytest.mark.slow
def test_two_builds_from_nothing_give_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    again = write_archive(tmp_path)
    assert again.read_bytes() == archive.read_bytes()


@pytest.mark.docker
def test_the_engine_knows_the_image_by_the_hash_of_its_description(
    docker_sandbox: DockerSandbox, archive: Path
) -> None:
    with tarfile.open(archive) as tar:
        description = next(item.name for item in tar if item.name.endswith(".json") and item.name != "manifest.json")
    client = docker.from_env()
    try:
        image = client.images.get(image_tag())
        assert image.id == f"sha256:{description.removesuffix('.json')}"
        assert image.labels[PRODUCT] == "nucleate-sandbox"
        assert image_tag() == f"nucleate-sandbox:{image.labels[INPUTS][:12]}"
        assert (build_image(client=client), client.images.get(image_tag()).id) == (image_tag(), image.id)
    finally:
        client.close()


def test_the_image_holds_no_path_files_no_package_manager_and_no_shell(names: set[str]) -> None:
    unwanted = {"pip", "ensurepip", "setuptools", "wheel", "uv", "idlelib", "venv", "sh", "bash", "apt", "dpkg"}
    assert [name for name in names if name.endswith(".pth") or not unwanted.isdisjoint(name.split("/"))] == []


def test_the_image_holds_the_packages_of_the_suites_and_no_others(names: set[str]) -> None:
    packages = {name.split("/")[5] for name in names if name.startswith(f"{STDLIB}/packages/")}
    distributions = {name.partition("-")[0] for name in packages if name.endswith(".dist-info")}
    pinned = (files("nucleate_sandbox") / "image" / "requirements.txt").read_text("utf-8")
    assert distributions == {line.partition("==")[0] for line in pinned.splitlines() if "==" in line}


def test_the_image_has_one_program(names: set[str]) -> None:
    assert [name for name in names if {"bin", "sbin"} & {*Path(name).parent.parts}] == [PYTHON]


def test_the_dockerfile_says_what_the_archive_says(archive: Path) -> None:
    lines = (files("nucleate_sandbox") / "image" / "Dockerfile").read_text("utf-8").splitlines()
    with tarfile.open(archive) as tar:
        name = next(item.name for item in tar if item.name.endswith(".json") and item.name != "manifest.json")
        config = json.loads(tar.extractfile(name).read())["config"]  # type: ignore[union-attr]
    assert f"ENTRYPOINT {json.dumps(ENTRYPOINT)}" in lines
    assert f'LABEL {PRODUCT}="{config["Labels"][PRODUCT]}"' in lines
    assert {f"USER {config['User']}", f"WORKDIR {config['WorkingDir']}", f"CMD {json.dumps(config['Cmd'])}"} <= {*lines}


@pytest.mark.docker
def test_every_module_of_the_image_is_compiled(docker_sandbox: DockerSandbox) -> None:
    source = """
        import os
        def tool():
            found = []
            for folder, _, names in os.walk(os.path.dirname(os.__file__)):
                compiled = set(os.listdir(folder + "/__pycache__")) if os.path.isdir(folder + "/__pycache__") else set()
                found += [n for n in names if n.endswith(".py") and n[:-3] + ".cpython-%d%d.pyc" % V not in compiled]
            return found
        import sys
        V = sys.version_info[:2]
        """
    assert call(docker_sandbox, source).value == []


@pytest.mark.docker
def test_a_missing_image_names_the_command_that_builds_it(docker_sandbox: DockerSandbox) -> None:
    class Empty:
        """An engine without images."""

        class images:  # noqa: N801
            @staticmethod
            def get(name: str) -> None:
                raise docker.errors.ImageNotFound(name)

    with pytest.raises(ImageMissing) as caught:
        require_image(Empty())  # type: ignore[arg-type]
    assert str(caught.value) == f"no sandbox image {image_tag()!r}; run `nucleate sandbox build`"
