"""The Docker backend: hardened containers, a fork server in each, one fresh process per call."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate_sandbox.docker.docker_sandbox import DockerSandbox
    from nucleate_sandbox.docker.engine import engine_address
    from nucleate_sandbox.docker.facts import Facts, engine_facts
    from nucleate_sandbox.docker.housekeeping import FoundContainer, SandboxStatus, clean, clean_images, status
    from nucleate_sandbox.docker.images.image import build_image
    from nucleate_sandbox.docker.images.tags import image_tag
else:
    _PLACES = {
        "DockerSandbox": "docker_sandbox",
        "Facts": "facts",
        "FoundContainer": "housekeeping",
        "SandboxStatus": "housekeeping",
        "build_image": "images.image",
        "clean": "housekeeping",
        "clean_images": "housekeeping",
        "engine_address": "engine",
        "engine_facts": "facts",
        "image_tag": "images.tags",
        "status": "housekeeping",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = [
    "DockerSandbox",
    "Facts",
    "FoundContainer",
    "SandboxStatus",
    "build_image",
    "clean",
    "clean_images",
    "engine_address",
    "engine_facts",
    "image_tag",
    "status",
]
