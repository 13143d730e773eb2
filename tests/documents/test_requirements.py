"""Requirements, as pip, conda and poetry are told them: name, version, place, and the minor version they keep to."""

from __future__ import annotations

import pytest

from xlaport.documents.document import Document, Kind
from xlaport.documents.requirements import Requirement, requirements
from xlaport.rule import Span


def read(text: str, kind: Kind = Kind.REQUIREMENTS) -> list[tuple[str, str, str]]:
    """Name, version, and what stands at the place of each."""
    found = requirements(Document(text, kind))
    return [(one.name, one.version, text[one.span.start : one.span.end]) for one in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("torch", ("torch", "", "torch")),
        ("  Torch_XLA[tpu,  x] ~= 2.9.0", ("torch-xla", "~=2.9.0", "Torch_XLA[tpu,  x] ~= 2.9.0")),
        ("torch (>= 2.1, < 3)", ("torch", ">=2.1,<3", "torch (>= 2.1, < 3)")),
        ("torch>=2.1,<3 ; python_version > '3.8'", ("torch", ">=2.1,<3", "torch>=2.1,<3")),
        ("torch==2.1.0+cu121# x", ("torch", "==2.1.0+cu121", "torch==2.1.0+cu121")),
        ("torch===2.1.0 --hash=sha256:0 \\", ("torch", "===2.1.0", "torch===2.1.0")),
        ("torch==2.1.0 \\", ("torch", "==2.1.0", "torch==2.1.0")),
        ("torch @ https://example.org/torch-2.1.0.whl#a", ("torch", "", "torch")),
        ("torch[a]@ file:///torch.whl ; python_version > '3'", ("torch", "", "torch[a]")),
        ("torch>=2.1.*,", ("torch", ">=2.1.*", "torch>=2.1.*")),  # what older pips took
        ("pytorch=2.1.0=py3.10_cuda12.1", ("pytorch", "=2.1.0", "pytorch=2.1.0=py3.10_cuda12.1")),
        ("zope.interface==5", ("zope-interface", "==5", "zope.interface==5")),
    ],
)
def test_a_line(line: str, expected: tuple[str, str, str]) -> None:
    assert read(line) == [expected]
    assert read(f"# torch\r\n{line}\r\n-r torch\n") == [expected]


@pytest.mark.parametrize(
    "line",
    ["", "# torch", "-e .", "--find-links torch", "./torch", "https://example.org/torch.whl", "git+https://a/b@c", "3",
     "pip install torch", "torch (see below)", "[torch]"],
)  # fmt: skip
def test_a_line_that_asks_for_nothing(line: str) -> None:
    assert read(line) == []


def test_an_environment() -> None:
    text = (
        "dependencies:\n- pytorch >=2.0,<=2.1\n- a::pytorch=2.1.*\n- a/b::x\n- y 1.2 h0_0\n- z[version='1']\n"
        "- pip:\n  - 'torch [a] >= 2'\n  - -r r.txt\n"
    )
    assert read(text, Kind.YAML) == [
        ("pytorch", ">=2.0,<=2.1", "pytorch >=2.0,<=2.1"), ("pytorch", "=2.1.*", "a::pytorch=2.1.*"),
        ("x", "", "a/b::x"), ("y", "=1.2", "y 1.2 h0_0"), ("torch", ">=2", "torch [a] >= 2"),
    ]  # fmt: skip


def test_a_project() -> None:
    text = (
        '[project]\ndependencies = ["torch>=2; python_version < \\"3.13\\"", "x @ git+https://a/b@c"]\n'
        '[tool.poetry.dependencies]\nTorch_XLA = "~2.9"\ny = { version = "^1 , <2", optional = true }\n'
        '[tool.poetry.group.a.dependencies]\nz = "1"\n'
    )
    assert read(text, Kind.TOML) == [
        ("torch", ">=2", "torch>=2"), ("x", "", "x"), ("torch-xla", "~2.9", "~2.9"), ("y", "^1,<2", "^1 , <2"),
        ("z", "1", "1"),
    ]  # fmt: skip


def test_commands() -> None:
    text = "pip install 'torch[a]>=2' -r x numpy==1 ./y 'z @ https://z'\nmamba create pytorch=2.1=py3 b::c \"d>=1\"\n"
    assert read(text, Kind.SHELL) == [
        ("torch", ">=2", "torch[a]>=2"), ("numpy", "==1", "numpy==1"), ("pytorch", "=2.1", "pytorch=2.1=py3"),
        ("c", "", "b::c"), ("d", ">=1", "d>=1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("version", "minor"),
    [
        ("==2.9.0", "2.9"), ("==2.9", "2.9"), ("===2.9.0", "2.9"), ("==2.9.*", "2.9"), ("~=2.9.0", "2.9"),
        ("==2.9.0+cu121", "2.9"), ("==v2.9.0", "2.9"), ("==2.9.0rc1", "2.9"), ("==2.9.0.post1", "2.9"),
        (">=2.9,<2.10", "2.9"), (">=2.9.0,<=2.9.1", "2.9"), (">=2.0,<2.1", "2.0"), ("==2.9.*,!=2.9.1", "2.9"),
        ("=2.9", "2.9"), ("=2.9.*", "2.9"), ("~2.9", "2.9"), ("2.9.0", "2.9"), ("2.9.*", "2.9"), ("2.9.0+cpu", "2.9"),
        ("", None), (">=2.9", None), ("~=2.9", None), ("^2.9", None), ("^2.9.0", None), ("=2", None), ("~2", None),
        ("==2.*", None), ("<2", None), ("<2.9", None), (">2.8,<2.10", None), (">=2.9,<3", None), ("!=2.9.0", None),
        ("=9b", None), (">=2.1.*", None), ("*", None), ("===x", None),
    ],
)  # fmt: skip
def test_the_minor_version(version: str, minor: str | None) -> None:
    assert Requirement("torch", version, Span(0, 0)).minor == minor
