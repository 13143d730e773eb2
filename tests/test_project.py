"""Which files a run looks at, held against git itself where git has an opinion."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from xlaport.errors import UserError
from xlaport.project import discover, display_path, passes_prefilter
from xlaport.result import FileError

NOT_READ = "not a Python file or notebook, nor a configuration, launcher or requirements file"


def git(folder: Path, *arguments: str) -> bytes:
    # No configuration of this machine's user may decide over a test.
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    return subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True).stdout


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, in no repository."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def make(root: Path, *names: str, **texts: str) -> None:
    for name, text in {**dict.fromkeys(names, ""), **texts}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def ignore(folder: Path, *lines: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("".join(f"{line}\n" for line in lines))


def files(*paths: str, exclude: Sequence[str] = ()) -> list[str]:
    found = discover([Path(path) for path in paths], exclude)
    assert found.errors == ()
    return [path.as_posix() for path in found.files]


def error(*paths: str) -> FileError:
    found = discover([Path(path) for path in paths])
    assert found.files == ()
    (only,) = found.errors
    return only


class TestWhatIsNamed:
    def test_files_are_sorted_and_unique(self, here: Path) -> None:
        make(here, "b.py", "a.py", "s/c.py")
        assert files("s", "b.py", "a.py", "./b.py", str(here / "b.py"), ".") == ["a.py", "b.py", "s/c.py"]

    def test_paths_stay_as_they_were_named(self, here: Path) -> None:
        make(here, "s/c.py")
        assert files(str(here / "s")) == [str(here / "s" / "c.py")]
        assert files("../here/s") == ["../here/s/c.py"]
        assert files(".") == ["s/c.py"]

    def test_a_named_file_is_taken_though_ignored_and_excluded(self, here: Path) -> None:
        make(here, ".venv/lib/a.py")
        ignore(here, "*.py")
        assert files(".venv/lib/a.py", exclude=["*.py"]) == [".venv/lib/a.py"]

    def test_missing(self, here: Path) -> None:
        assert error("no.py") == FileError("no.py", "no such file or folder")
        assert error("no\0.py").message == "no such file or folder"
        make(here, "a.py")
        assert error("a.py/b.py").message == "no such file or folder"
        (here / "dangling.py").symlink_to("nowhere.py")
        assert error("dangling.py").message == "no such file or folder"

    def test_a_circle_of_links(self, here: Path) -> None:
        (here / "a.py").symlink_to("b.py")
        (here / "b.py").symlink_to("a.py")
        assert error("a.py").message.startswith("cannot be read: ")

    def test_not_python(self, here: Path) -> None:
        make(here, "notes.txt")
        assert error("notes.txt") == FileError("notes.txt", NOT_READ)
        os.mkfifo(here / "pipe.py")
        assert error("pipe.py").message == NOT_READ

    def test_a_folder_without_python(self, here: Path) -> None:
        make(here, "s/notes.txt", "s/gone.py")
        ignore(here / "s", "gone.py")
        assert error("s").path == "s"
        assert error("s").message.startswith("no Python file or notebook in this folder")

    def test_one_bad_name_does_not_stop_the_others(self, here: Path) -> None:
        make(here, "a.py")
        found = discover([Path("no.py"), Path("a.py"), Path("no.py")])
        assert found.files == (Path("a.py"),)
        assert found.errors == (FileError("no.py", "no such file or folder"),)

    def test_nothing_named(self) -> None:
        assert discover([]).files == ()

    def test_a_vanished_folder_is_reported(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        make(here, "a.py", "closed/b.py")
        scandir = os.scandir

        def deny(path: str) -> Iterator[os.DirEntry[str]]:
            if path.endswith("closed"):
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr(os, "scandir", deny)
        found = discover([Path()])
        assert found.files == (Path("a.py"),)
        assert found.errors == (FileError("closed", "cannot be read: Permission denied"),)


class TestWhatIsWalked:
    def test_what_is_never_the_users_code(self, here: Path) -> None:
        make(here, "a.py", "x.pyi", "x.pyc", ".a.py.xlaport-1234.tmp", ".hidden/h.py", "build/b.py", "venv.py")
        make(here, ".git/hook.py", ".hg/x.py", ".venv/x.py", "node_modules/x.py", "s/__pycache__/x.py")
        make(here, ".tox/x.py", ".nox/x.py", ".eggs/x.py", "lib/site-packages/x.py")
        make(here, "env/pyvenv.cfg", "env/bin/x.py", "venv/module.py")
        assert files(".") == [".hidden/h.py", "a.py", "build/b.py", "venv/module.py", "venv.py"]

    def test_a_named_environment_is_walked(self, here: Path) -> None:
        make(here, "site-packages/x.py", "env/pyvenv.cfg", "env/y.py")
        assert files("site-packages", "env") == ["env/y.py", "site-packages/x.py"]

    def test_folders_and_odd_files_that_end_in_py(self, here: Path) -> None:
        make(here, "package.py/a.py", "a b.py", "\u00e9.py", "[x].py", "new\nline.py")
        os.mkfifo(here / "pipe.py")
        assert files(".") == sorted(["package.py/a.py", "a b.py", "\u00e9.py", "[x].py", "new\nline.py"])

    def test_names_that_are_not_text(self, here: Path) -> None:
        odd = os.fsencode(here) + b"/caf\xe9"
        os.mkdir(odd)
        with open(odd + b"/\xff.py", "wb"):
            pass
        ignore(here, "*.txt")
        assert [os.fsencode(path) for path in discover([Path()]).files] == [b"caf\xe9/\xff.py"]
        missing = error(os.fsdecode(b"caf\xe9/none.py"))
        assert missing.path.encode("utf-8", "surrogateescape") == b"caf\xe9/none.py"

    def test_links_are_not_followed(self, here: Path, tmp_path: Path) -> None:
        make(here, "s/a.py")
        make(tmp_path / "outside", "x.py")
        (here / "s" / "circle").symlink_to(here)
        (here / "other").symlink_to(here / "s")
        (here / "same.py").symlink_to("s/a.py")
        (here / "foreign.py").symlink_to(tmp_path / "outside" / "x.py")
        assert files(".") == ["s/a.py"]

    def test_a_named_link_is_followed(self, here: Path) -> None:
        make(here, "real/a.py")
        (here / "folder").symlink_to("real")
        (here / "file.py").symlink_to("real/a.py")
        assert files("folder") == ["folder/a.py"]
        assert files("file.py") == ["file.py"]
        assert files("file.py", "real", "folder") == ["file.py"]

    def test_deeper_than_the_call_stack(self, here: Path) -> None:
        folder = os.open(here, os.O_RDONLY)
        for _ in range(1500):
            os.mkdir("d", dir_fd=folder)
            inner = os.open("d", os.O_RDONLY, dir_fd=folder)
            os.close(folder)
            folder = inner
        os.close(os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
        os.close(folder)
        found = discover([Path()]).files
        # pytest removes folders by recursion, and would fail here.
        subprocess.run(["rm", "-rf", "d"], check=True)
        assert [path.name for path in found] == ["deep.py"]


class TestIgnoreFiles:
    def test_nested_files_and_negation(self, here: Path) -> None:
        make(here, "a.py", "gen_a.py", "s/gen_b.py", "s/keep/gen_c.py", "build/x.py", "s/build/y.py")
        ignore(here, "gen_*.py", "/build/")
        ignore(here / "s" / "keep", "!gen_*.py")
        assert files(".") == ["a.py", "s/build/y.py", "s/keep/gen_c.py"]

    def test_the_files_of_parent_folders_up_to_the_repository(self, here: Path) -> None:
        make(here, "repo/s/t/a.py", "repo/s/t/b.py", "repo/s/t/c.py", "repo/s/t/d.py")
        (here / "repo" / ".git" / "info").mkdir(parents=True)
        (here / "repo" / ".git" / "info" / "exclude").write_text("d.py\n")
        ignore(here, "a.py")  # above the repository: git does not read it
        ignore(here / "repo", "b.py", "/c.py")
        ignore(here / "repo" / "s", "t/c.py")
        assert files("repo/s/t") == ["repo/s/t/a.py"]

    def test_outside_a_repository_only_the_folder_itself_has_a_say(self, here: Path) -> None:
        make(here, "s/a.py", "s/b.py")
        ignore(here, "*.py")
        ignore(here / "s", "b.py")
        assert files("s") == ["s/a.py"]

    def test_a_named_folder_in_an_ignored_one(self, here: Path) -> None:
        make(here, "out/gen/a.py", "out/gen/b.py")
        (here / ".git").mkdir()
        ignore(here, "out/")
        ignore(here / "out" / "gen", "b.py")
        assert files("out/gen") == ["out/gen/a.py"]
        assert files("out") == ["out/gen/a.py"]

    def test_lines_as_editors_leave_them(self, here: Path) -> None:
        make(here, "a.py", "b.py", "c.py", "caf\u00e9.py")
        (here / ".gitignore").write_bytes(
            b"\xef\xbb\xbfa.py\r\n# note\r\n\r\n!\n[z-a\n//\n\\\nb.py\n\xff\ncaf\xc3\xa9.py"
        )
        assert files(".") == ["c.py"]

    def test_an_unreadable_ignore_file_counts_for_nothing(self, here: Path) -> None:
        make(here, "a.py", ".gitignore/x.txt")
        assert files(".") == ["a.py"]

    def test_exclude_is_relative_to_the_working_directory(self, here: Path, tmp_path: Path) -> None:
        make(here, "s/a.py", "s/t/b.py", "t/c.py", "s/d_test.py")
        assert files(".", exclude=["/t", "*_test.py"]) == ["s/a.py", "s/t/b.py"]
        assert files("s", exclude=["s/t/"]) == ["s/a.py", "s/d_test.py"]
        make(tmp_path / "other", "t/x.py", "y.py")
        assert files("../other", exclude=["/t/"]) == ["../other/y.py"]

    def test_exclude_wins_over_a_negation(self, here: Path) -> None:
        make(here, "a.py", "b.py")
        ignore(here, "!a.py")
        assert files(".", exclude=["a.py"]) == ["b.py"]

    def test_info_exclude_of_a_worktree(self, here: Path) -> None:
        repository, tree = here / "repo", here / "tree"
        repository.mkdir()
        git(repository, "init", "-q")
        make(repository, "a.py", "gone.py")
        git(repository, "add", "a.py")
        git(repository, "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "m")
        git(repository, "worktree", "add", "-q", str(tree))
        (repository / ".git" / "info" / "exclude").write_text("gone.py\n")
        make(tree, "gone.py", "b.py")
        assert files("tree") == ["tree/a.py", "tree/b.py"]
        assert files("repo") == ["repo/a.py"]


NAMES = ["a.py", "b.py", "ab.py"]
FOLDERS = ["", "a", "b", "a/b", "b/a", "a/b/ab"]
# Without `a**/b`, where git takes the stars for a folder of their own if only plain text stands before them.
WORDS = r"a b ab a.py b.py * ** *** a* *.py ? \a? [ab] [!a].py []a-] [b-a] [^ab \* a\ ab/**"
SEGMENTS = st.sampled_from([*WORDS.split(), "a "])


@st.composite
def pattern_lines(draw: st.DrawFn) -> str:
    body = "/".join(draw(st.lists(SEGMENTS, min_size=1, max_size=3)))
    slashes = draw(st.sampled_from(["", "/"])), draw(st.sampled_from(["", "/"]))
    return draw(st.sampled_from(["", "", "!"])) + slashes[0] + body + slashes[1]


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(FOLDERS), st.lists(pattern_lines(), min_size=1, max_size=4), max_size=3),
    st.sampled_from(FOLDERS),
)
@example({"": ["*", "!*/", "!*.py"]}, "")
@example({"": ["a/", "!a/b/"], "a": ["!b"]}, "")
@example({"": ["/*", "!/a", "/a/*", "!/a/b"]}, "a")
def test_ignores_what_git_ignores(rules: dict[str, list[str]], start: str) -> None:
    root = Path(os.path.realpath(tempfile.mkdtemp()))
    try:
        git(root, "init", "-q")
        make(root, *(f"{folder}/{name}".lstrip("/") for folder in FOLDERS for name in NAMES))
        for folder, lines in rules.items():
            ignore(root / folder, *lines)
        known = git(root, "ls-files", "-coz", "--exclude-standard").decode().split("\0")
        wanted = {name for name in known if name.endswith(".py") and name.startswith(f"{start}/".lstrip("/"))}
        if start and not wanted:  # Perhaps the folder itself is ignored; but its being named outweighs that.
            return
        found = discover([root / start])
        assert {path.relative_to(root).as_posix() for path in found.files} == wanted
    finally:
        shutil.rmtree(root)


class TestPrefilter:
    def test_needs_torch_and_a_word(self) -> None:
        words = [b"cuda", b".item"]
        assert passes_prefilter(b"import torch\nx.cuda()", words)
        assert passes_prefilter(b"loss.item()  # torch", words)
        assert not passes_prefilter(b"import torch", words)
        assert passes_prefilter(b"import numpy\nx.cuda()", words)
        assert not passes_prefilter(b"import numpy\ndevice = 'cuda'", words)
        assert not passes_prefilter(b"import torch\nx.cuda()", [])
        assert not passes_prefilter(b"", words)


class TestDisplayPath:
    def test_relative_to_the_working_directory(self, here: Path) -> None:
        assert display_path(Path("a.py")) == "a.py"
        assert display_path(Path("./s/a.py")) == "s/a.py"
        assert display_path(here / "s" / "a.py") == "s/a.py"
        assert display_path(Path("../here/a.py")) == "a.py"
        assert display_path(here / ".." / "here" / "a.py") == "a.py"

    def test_outside_it_stays_as_given(self, here: Path) -> None:
        assert display_path(Path("../a.py")) == "../a.py"
        assert display_path(here.parent / "a.py") == (here.parent / "a.py").as_posix()

    def test_links(self, here: Path, tmp_path: Path) -> None:
        make(here, "s/real.py")
        (tmp_path / "other").symlink_to(here)
        (here / "s" / "link.py").symlink_to("real.py")
        assert display_path(tmp_path / "other" / "s" / "link.py") == "s/link.py"

    def test_a_deleted_working_directory(self, here: Path) -> None:
        here.rmdir()
        assert display_path(Path("a.py")) == "a.py"
        assert display_path(Path("/a.py")) == "/a.py"
        with pytest.raises(UserError, match="the working directory is gone"):
            discover([Path()])
