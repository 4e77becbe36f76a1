"""The Docker backend: hardened containers, a fork server in each, one fresh process per call."""

from nucleate_sandbox.docker.image import build_image, image_tag
from nucleate_sandbox.docker.sandbox import DockerSandbox
from nucleate_sandbox.docker.status import Status, clean, status

__all__ = ["DockerSandbox", "Status", "build_image", "clean", "image_tag", "status"]
