"""The diff, applied by the real git and the real patch."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from xlaport.report import diff
from xlaport.result import FileResult, RunResult
from xlaport.source import Source, decode

Files = dict[str, tuple[bytes, bytes]]
"""Name -> content before and after."""


def _result(source: Source, after: str) -> FileResult:
    return FileResult(source.path, source.text, after, encoding=source.encoding, bom=source.bom)


def git(*arguments: str, data: bytes = b"") -> None:
    # No configuration and no repository of this machine may decide over a test.
    ceiling = {"GIT_CEILING_DIRECTORIES": tempfile.gettempdir(), "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/none"}
    run("git", *arguments, data=data, environment=ceiling)


def run(*command: str, data: bytes, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command, input=data, env={**os.environ, **(environment or {})}, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout, data)


def git_apply(patch: bytes) -> None:
    git("apply", data=patch)


def git_apply_in_a_repository(patch: bytes) -> None:
    git("init", "-q")
    git("apply", data=patch)


def git_apply_in_a_folder_of_a_repository(patch: bytes) -> None:
    git("init", "-q", "..")
    git("apply", data=patch)


def patch_p0(patch: bytes) -> None:
    run("patch", "-p0", "--fuzz=0", data=patch)


TOOLS = [git_apply, git_apply_in_a_repository, git_apply_in_a_folder_of_a_repository, patch_p0]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(root: Path, files: Files) -> None:
    for name, (before, _) in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before)


def rendered(paths: dict[Path, tuple[bytes, bytes]]) -> str:
    results = tuple(_result(decode(path, before), decode(path, after).text) for path, (before, after) in paths.items())
    return diff.render(RunResult("torch_xla 2.9", len(results), len(results), results))


def check(here: Path, files: Files) -> None:
    """Every tool, given the diff, turns the files before into the files after."""
    os.chdir(here)
    write(here, files)
    patch = rendered({Path(name): contents for name, contents in files.items()})
    data = patch.encode("utf-8", "surrogateescape")
    try:
        for tool in TOOLS:
            for child in here.parent.iterdir():
                shutil.rmtree(child)
            here.mkdir()
            os.chdir(here)
            write(here, files)
            tool(data)
            assert {name: (here / name).read_bytes() for name in files} == {
                name: after for name, (_, after) in files.items()
            }
    finally:
        # Out of a folder that is about to be removed.
        os.chdir(here.parent)


OLD = b"import torch\nx = torch.ones(2).cuda()\nprint(x)\n"
NEW = b"import torch\nimport torch_xla\nx = torch.ones(2).to(torch_xla.device())\nprint(x)\n"


def dos(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    "files",
    [
        {"train.py": (OLD, NEW)},
        {"a/b/train.py": (OLD, NEW), "a/model.py": (OLD, NEW), "z.py": (OLD, NEW)},
        {"a/train.py": (dos(OLD), dos(NEW)), "unix.py": (OLD, NEW)},
        {"mixed.py": (OLD + b"a\r\n", NEW + b"a\r\n"), "mac.py": (b"a\rb\rc", b"a\rB\rc")},
        {"a.py": (OLD.rstrip(), NEW.rstrip()), "b.py": (OLD.rstrip(), NEW), "c.py": (OLD, NEW.rstrip())},
        {"dos.py": (dos(OLD).rstrip(), dos(NEW).rstrip())},
        {"my scripts/train it.py": (OLD, NEW), " lead.py": (OLD, NEW)},
        {"d\u00e9j\u00e0 vu/\u8bad\u7ec3.py": (OLD, NEW)},
        {'quo"te.py': (OLD, NEW), "back\\slash.py": (OLD, NEW), "new\nline \u00e9.py": (OLD, NEW)},
        {"tab\there.py": (OLD, NEW), "'single'.py": (OLD, NEW), "a/$(x);#.py": (OLD, NEW)},
        {os.fsdecode(b"caf\xe9.py"): (OLD, NEW), os.fsdecode(b'"\xff.py'): (OLD, NEW)},
        {"bom.py": (b"\xef\xbb\xbf" + OLD, b"\xef\xbb\xbf" + NEW)},
        {"bom.py": (b"\xef\xbb\xbfa = 1\n", b"\xef\xbb\xbfa = 2\n")},
        {"latin.py": (b"# coding: latin-1\n# \xe9\n" + OLD, b"# coding: latin-1\n# \xe9\n" + NEW)},
        {
            "odd.py": (
                b"a = '\x0c\xe2\x80\xa8\xc2\x85'\nb\x1cc\n",
                b"a = '\x0c\xe2\x80\xa8\xc2\x85'\nB\x1cc\n",
            )
        },
        {"sql.py": (b"-- ./sql.py\n++ x\n@@ -1 +1 @@\nq\n", b"++ ./sql.py\n@@ -1 +1 @@\nr\n")},
        {"a/a/a.py": (OLD, NEW), "a/a.py": (OLD, NEW), "a.py": (OLD, NEW)},
        {"b/b.py": (OLD, NEW), "a/b/c.py": (OLD, NEW)},
    ],
    ids=lambda files: ",".join(files).encode("ascii", "backslashreplace").decode(),
)
def test_git_and_patch_take_it(here: Path, files: Files) -> None:
    check(here, files)


NAMES = st.text(st.sampled_from("ab .-\t'\"\\\u00e9\u6f22/"), min_size=1, max_size=8).filter(
    lambda name: not {"", ".", ".."} & set(name.split("/"))
)
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "- x", "+", "\\", "\x0c"]), min_size=1, max_size=30)


@st.composite
def contents(draw: st.DrawFn) -> tuple[bytes, bytes]:
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    before, after = ((newline.join(draw(TEXTS)) + draw(st.sampled_from(["", newline]))) for _ in range(2))
    return f"x{before}".encode(), f"x{after}".encode()


@settings(max_examples=30, deadline=None)
@given(name=NAMES, content=contents())
@example(name="a b", content=(b"a\r\nb", b"a\nb"))
def test_any_text_and_name(name: str, content: tuple[bytes, bytes]) -> None:
    assume(content[0] != content[1])
    before = os.getcwd()
    folder = Path(tempfile.mkdtemp())
    (folder / "here").mkdir()
    try:
        check(folder / "here", {f"{name}.py": content})
    finally:
        os.chdir(before)
        shutil.rmtree(folder)


def test_the_one_layout_where_git_needs_a_hint(here: Path) -> None:
    """In a folder of a repository that holds a folder of the same name, git guesses how much to strip."""
    files = {"here/a.py": (OLD, NEW)}
    write(here, files)
    patch = rendered({Path("here/a.py"): (OLD, NEW)}).encode()
    git("init", "-q", "..")
    git("apply", "-p1", data=patch)
    assert Path("here/a.py").read_bytes() == NEW


def test_text_of_a_diff(here: Path) -> None:
    write(here, {"s/a.py": (OLD, NEW)})
    assert rendered({Path("s/a.py"): (OLD, NEW)}) == (
        "--- ./s/a.py\n"
        "+++ ./s/a.py\n"
        "@@ -1,3 +1,4 @@\n"
        " import torch\n"
        "-x = torch.ones(2).cuda()\n"
        "+import torch_xla\n"
        "+x = torch.ones(2).to(torch_xla.device())\n"
        " print(x)\n"
    )


def test_lines_that_stay_are_not_shown_as_changed(here: Path) -> None:
    # In a file of 200 lines, difflib passes over a line that occurs often: it stands alone behind the last change.
    old = "".join(f"def make_{i}():\n    load({i})\n    return model\n" for i in range(80)).encode()
    new = old.replace(b"load(79)", b"load(79, device)")
    write(here, {"a.py": (old, new)})
    rows = rendered({Path("a.py"): (old, new)}).splitlines()
    assert [row for row in rows[3:] if row[0] in "+-"] == ["-    load(79)", "+    load(79, device)"]


def test_paths_are_relative_to_the_working_directory(here: Path) -> None:
    assert rendered({here / "s" / "a.py": (OLD, NEW)}).startswith("--- ./s/a.py\n+++ ./s/a.py\n")


def test_a_file_outside_is_never_mistaken_for_one_inside(here: Path) -> None:
    write(here, {"a.py": (OLD, NEW), "../a.py": (OLD, NEW)})
    patch = rendered({Path("../a.py"): (OLD, NEW)}).encode()
    for command in (["git", "apply"], ["patch", "-p0", "--batch"]):
        done = subprocess.run(command, input=patch, capture_output=True, check=False)
        assert done.returncode != 0
    assert (here / "a.py").read_bytes() == OLD


def test_unchanged_files_do_not_appear(here: Path) -> None:
    assert rendered({Path("a.py"): (OLD, OLD)}) == ""


def test_a_file_that_is_gone_still_has_a_diff(here: Path) -> None:
    assert "+import torch_xla\n" in rendered({Path("gone.py"): (OLD, NEW)})
