"""Engines that are not on this machine: the programs' channel goes over the engine's own connection."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from nucleate_sandbox import DockerSandbox, EngineUnavailable, Limit, Limits, SandboxError
from tests.sandbox.docker.engine_proxy import SOCKET, EngineProxy
from tests.sandbox.docker.programs import call, module
from tests.sandbox.docker.test_engines import elsewhere
from tests.sandbox.docker.test_housekeeping import living

pytestmark = pytest.mark.docker
ECHO = module("def tool(text):\n    print(text)\n    return text\n")
# Looks through its own memory for what it cannot name without having it there: the pattern does not match itself.
SEARCH = """
    import ctypes, re
    def tool(text=None):
        found = set()
        for line in open("/proc/self/maps").read().splitlines():
            place, rights, *_, name = *line.split(), ""
            if rights.startswith("rw") and "[v" not in name:
                start, end = (int(word, 16) for word in place.split("-"))
                found |= set(re.findall(rb"[n]eedle-[0-9]{8}", ctypes.string_at(start, end - start)))
        return sorted(item.decode() for item in found)
    """
ORPHAN = """
import os
from nucleate_sandbox import DockerSandbox
sandbox = DockerSandbox(transport="attached")
session = sandbox.open()
session.run("x = 1")
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def proxy(docker_sandbox: DockerSandbox) -> Iterator[EngineProxy]:
    with EngineProxy() as proxy:
        yield proxy


@pytest.fixture(params=["docker_sandbox", "attached_sandbox"], ids=["socket", "attached"])
def sandbox(request: pytest.FixtureRequest) -> DockerSandbox:
    sandbox: DockerSandbox = request.getfixturevalue(request.param)
    return sandbox


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as DOCKER_CERT_PATH names one; the one certificate serves both ends and vouches for itself."""
    folder = tmp_path_factory.mktemp("certificates")
    command = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    names = ("-subj", "/CN=engine", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2")
    try:
        subprocess.run([*command, *names, "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, check=True, stderr=-3)
    except FileNotFoundError:
        pytest.skip("openssl makes the certificates")
    (folder / "ca.pem").write_bytes((folder / "cert.pem").read_bytes())
    return folder


def test_docker_host_may_name_an_engine_elsewhere(proxy: EngineProxy) -> None:
    assert elsewhere(DOCKER_HOST=f"tcp://127.0.0.1:{proxy.port}") == "42"


def test_the_environment_is_read_once_and_may_change_while_the_engine_is_asked(proxy: EngineProxy) -> None:
    with DockerSandbox(host=f"tcp://127.0.0.1:{proxy.port}") as sandbox, sandbox.open() as session:
        os.environ["HTTP_PROXY"] = "http://127.0.0.1:9"
        try:
            assert session.run("6 * 7").value == 42
        finally:
            del os.environ["HTTP_PROXY"]


def test_an_engine_elsewhere_may_ask_for_certificates(docker_sandbox: DockerSandbox, certificates: Path) -> None:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=certificates / "ca.pem")
    tls.load_cert_chain(certificates / "cert.pem", certificates / "key.pem")
    tls.verify_mode = ssl.CERT_REQUIRED
    with EngineProxy(tls=tls) as proxy:
        address = f"tcp://127.0.0.1:{proxy.port}"
        docker_says = {"DOCKER_TLS_VERIFY": "1", "DOCKER_CERT_PATH": str(certificates)}
        no_others = {"REQUESTS_CA_BUNDLE": "", "CURL_CA_BUNDLE": ""}  # requests would prefer these to what docker says
        assert elsewhere(DOCKER_HOST=address, **docker_says, **no_others) == "42"


def test_an_engine_elsewhere_that_is_not_there_is_one_error() -> None:
    with EngineProxy() as proxy:
        address = f"tcp://127.0.0.1:{proxy.port}"
    with (
        DockerSandbox(host=address) as sandbox,
        pytest.raises(EngineUnavailable, match=rf"^the Docker engine at '{address}' does not answer \(.*\); start it$"),
    ):
        sandbox.open()


def test_a_connection_that_breaks_is_an_outage_and_the_next_call_works(proxy: EngineProxy) -> None:
    with DockerSandbox(host=f"tcp://127.0.0.1:{proxy.port}") as sandbox, sandbox.open() as session:
        assert session.run("x = 41; x + 1").value == 42
        proxy.cut()
        with pytest.raises(SandboxError, match="ended in the middle of a program; call again"):
            session.run("x")
        assert session.call(ECHO, "tool", {"text": "again"}).value == "again"


@pytest.mark.usefixtures("docker_sandbox")
def test_an_engine_that_does_not_see_these_files_is_reached_without_them(tmp_path: Path) -> None:
    assert elsewhere(tmp_path, TMPDIR="/proc/self/cwd", DOCKER_HOST=f"unix://{SOCKET}") == "42"


@pytest.mark.usefixtures("docker_sandbox")
def test_a_sandbox_that_was_told_to_use_files_says_that_the_engine_does_not_see_them(tmp_path: Path) -> None:
    program = (
        "from nucleate_sandbox import DockerSandbox\n"
        "with DockerSandbox(transport='socket') as sandbox, sandbox.open() as session: session.run('1')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"TMPDIR": "/proc/self/cwd"}, cwd=tmp_path,
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.stderr.splitlines()[-1].endswith(
        "Unreached: the engine does not see this machine's files; use transport='attached'"
    )


def test_the_containers_of_an_owner_that_was_killed_end_with_its_connection(docker_sandbox: DockerSandbox) -> None:
    client = docker.from_env()
    owner = subprocess.Popen([sys.executable, "-c", ORPHAN])
    assert owner.wait(600) == -9
    for identity in living(client, owner.pid):
        client.api.wait(identity, condition="removed", timeout=60)
    assert living(client, owner.pid) == []
    client.close()


def test_a_program_holds_four_descriptors_and_none_of_the_servers(sandbox: DockerSandbox) -> None:
    source = """
        import os, stat
        def tool():
            held = [stat.S_IFMT(os.fstat(number).st_mode) for number in range(4)]
            held = [{stat.S_IFCHR: "device", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}[kind] for kind in held]
            for number in range(4, 1024):
                try:
                    os.fstat(number)
                    held.append(number)
                except OSError:
                    pass
            return held
        """
    assert call(sandbox, source).value == ["device", "pipe", "pipe", "socket"]


def test_the_memory_of_a_program_holds_nothing_of_the_one_before(sandbox: DockerSandbox) -> None:
    search = module(SEARCH)
    with sandbox.open(limits=Limits(memory_bytes=1 << 30)) as session:
        assert session.call(search, "tool", {"text": "needle-12345678"}).value == ["needle-12345678"]
        for _ in range(3):  # calls may take turns between two containers
            assert session.call(ECHO, "tool", {"text": "needle-87654321"}).value == "needle-87654321"
            assert session.call(search, "tool", {}).value == []


def test_much_is_carried_both_ways_while_output_waits(attached_sandbox: DockerSandbox) -> None:
    source = """
        def tool(text):
            print("x" * 3_000_000)
            return text
        """
    outcome = call(attached_sandbox, source, text="ä" * 1_000_000)
    assert (outcome.value, outcome.stdout.total_bytes) == ("ä" * 1_000_000, 3_000_001)


def test_a_program_that_does_not_read_is_ended_at_its_deadline(attached_sandbox: DockerSandbox) -> None:
    limits = Limits(wall_seconds=1.0)
    with attached_sandbox.open(limits=limits) as session:
        blocked = session.call(module("import time\ntime.sleep(60)\n" + "#" * 3_000_000), "tool", {})
        assert blocked.limit is Limit.WALL
        assert session.call(ECHO, "tool", {"text": "next"}).value == "next"
