"""What a program declares, what a lock is, and what neither may be."""

from __future__ import annotations

import pytest

from nucleate_sandbox import NO_PACKAGES, Lock, Module, MontySandbox, PackageError, closure_lock, read_requirements

BLOCK = '# /// script\n# dependencies = [\n#   "slugify>=1",\n#   "Humanize",\n# ]\n# ///\n'
OTHER = "# /// script\n# requires-python = '>=3.11'\n# dependencies = ['Humanize', 'a[b] ; python_version > \"3\"']\n# ///\n"


def pin(name: str, version: str = "1.0", digest: str = "0" * 64) -> str:
    return f"{name}=={version} \\\n    --hash=sha256:{digest}\n"


def block(*lines: str) -> str:
    return "\n".join(["# /// script", *(f"# {line}" for line in lines), "# ///", ""])


@pytest.mark.parametrize(
    ("sources", "requirements"),
    [
        (("x = 1\n",), ()),
        ((BLOCK,), ("Humanize", "slugify>=1")),
        (("import x\n" + BLOCK.replace("\n", "\r\n"),), ("Humanize", "slugify>=1")),
        ((BLOCK, OTHER), ("Humanize", 'a[b]; python_version > "3"', "slugify>=1")),
        (("# /// script\n#\n# ///\n",), ()),
        (("# /// other\n# dependencies = ['x']\n# ///\n",), ()),
    ],
    ids=["none", "one", "line ends", "closure", "empty", "another block"],
)
def test_requirements_are_read_from_the_blocks_of_all_sources(
    sources: tuple[str, ...], requirements: tuple[str, ...]
) -> None:
    assert read_requirements(*sources) == requirements


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (BLOCK + BLOCK, "the block '# /// script' stands in lines 1 and 7; keep one of them"),
        ("# /// script\n# x = 1\nimport x\n# ///\n", "the block '# /// script' in line 1 has no end; add a line '# ///'"),
        (block("tool = 1"), "the block '# /// script' has 'tool'; only dependencies and requires-python may stand there"),
        (block("dependencies = 'x'"), "dependencies = 'x' is not a list of texts; write dependencies = ['name>=1']"),
        (block("dependencies = [1]"), "dependencies = [1] is not a list of texts; write dependencies = ['name>=1']"),
        (block("dependencies = ['-e .']"), "'-e .' is not a requirement; write 'name' or 'name>=1.2'"),
        (block("dependencies = ['x @ file:///x']"),
         "'x @ file:///x' names a place; name a package, which the lock pins by its hash"),
        (block("requires-python = 'new'"), "requires-python = 'new' is not a range of versions; write '>=3.11'"),
    ],
    ids=["two", "no end", "unknown key", "text", "number", "option", "place", "range"],
)  # fmt: skip
def test_a_bad_block_is_one_error_that_names_it(source: str, message: str) -> None:
    with pytest.raises(PackageError) as caught:
        read_requirements(source)
    assert str(caught.value) == message


def test_a_block_that_is_not_toml_or_wants_another_python_is_refused() -> None:
    with pytest.raises(PackageError, match=r"^the block '# /// script' is not TOML: .*; correct it$"):
        read_requirements(block("dependencies ="))
    with pytest.raises(PackageError, match=r"^requires-python = '<3' leaves out 3\.\d+\.\d+, which runs here$"):
        read_requirements(block("requires-python = '<3'"))


def test_a_lock_says_what_it_pins_and_which_requirements_it_does_not_meet() -> None:
    locked = Lock(text=pin("a-b", "1.5") + pin("c", "2.0rc1"))
    assert locked.pins == {"a-b": "1.5", "c": "2.0rc1"}
    assert locked.unmet(["A_b>=1", "c", "d ; python_version < '3'"]) == ()
    assert locked.unmet(["a-b<1", "c>=1", "d"]) == ("a-b<1", "d")
    assert (len(locked.sha256), bool(locked), bool(NO_PACKAGES)) == (64, True, False)


@pytest.mark.parametrize(
    "text",
    [
        "a==1.0\n",
        "a>=1.0 \\\n    --hash=sha256:" + "0" * 64 + "\n",
        pin("a") + "--index-url x\n",
        pin("a") + "-e .\n",
        "\n" + pin("a"),
        pin("a").rstrip("\n"),
        pin("a", digest="0" * 63),
        pin("../a"),
    ],
    ids=["no hash", "range", "option", "folder", "blank", "no line end", "short hash", "path"],
)
def test_nothing_but_pins_with_hashes_is_a_lock(text: str) -> None:
    with pytest.raises(PackageError, match=r"make it with nucleate_sandbox\.lock\(\)$"):
        Lock(text=text)


def test_a_closure_has_the_callers_lock_or_else_those_of_what_it_calls() -> None:
    a, b = pin("a"), pin("b")
    assert closure_lock(a, [pin("a", "2.0"), b]) == Lock(text=a)
    assert closure_lock("", [b, a + b, ""]) == Lock(text=a + b)
    assert closure_lock("", ["", ""]) == NO_PACKAGES


def test_two_locks_that_pin_one_package_differently_are_refused() -> None:
    with pytest.raises(PackageError) as caught:
        closure_lock("", [pin("a"), pin("a", "2.0")])
    assert str(caught.value) == "'a' is locked as '2.0' and as something else; lock the caller's packages too"


def test_the_embedded_sandbox_says_that_packages_need_docker(monty_sandbox: MontySandbox) -> None:
    with monty_sandbox.open(packages=Lock(text=pin("a") + pin("b"))) as session:
        outcomes = [session.run("1"), session.call(Module(name="f", source=""), "f", {})]
        failures = [*(item.failure for item in outcomes), session.test(Module(name="f", source=""), {}).failure]
    assert [failure and (failure.unsupported, failure.message) for failure in failures] == [
        (True, "the packages a, b need the Docker sandbox")
    ] * 3
