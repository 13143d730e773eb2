"""Trial runs in a copy of the folder, and the original in a tree of its own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.commands.command_line import xlaport_run
from xlaport.errors import UserError
from xlaport.verify import Against, Sandbox, VerifyRequest
from xlaport.verify import sandbox as module
from xlaport.verify.parity_run import original_of, own_tree
from xlaport.verify.sandbox import copied, make_own, restored

WRITES = """\
import os
open("out.txt", "w").write("x")
open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "log.txt"), "w").write("x")
print("read", open("data/big.txt").read())
raise ValueError("at the end")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "project"
    (home / "data").mkdir(parents=True)
    (home / "data" / "big.txt").write_text("numbers")
    (home / "train.py").write_text(WRITES)
    (home / ".git").mkdir()
    (home / "env").mkdir()
    (home / "env" / "pyvenv.cfg").write_text("")
    (home / "elsewhere").symlink_to(tmp_path)
    (home / "same").symlink_to("data")
    return home


def request(folder: Path, *links: str, script: str = "train.py") -> VerifyRequest:
    return VerifyRequest(Path(script), directory=folder, sandbox=Sandbox(tuple(map(Path, links))))


class TestCopy:
    def test_holds_what_the_script_needs(self, folder: Path) -> None:
        with copied(request(folder)) as (inside, copy):
            assert inside.directory == copy != folder
            assert inside.sandbox is None
            assert sorted(path.name for path in copy.iterdir()) == ["data", "elsewhere", "same", "train.py"]
            assert (copy / "data" / "big.txt").read_text() == "numbers"
            assert (copy / "elsewhere" / "project").is_dir()
            (copy / "data" / "big.txt").write_text("new")
        assert not copy.exists()
        assert (folder / "data" / "big.txt").read_text() == "numbers"

    def test_what_is_imported_from_the_folder_is_that_of_the_copy(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder / "data"), "/elsewhere", str(folder)]))
        with copied(request(folder)) as (inside, copy):
            places = dict(inside.environment)["PYTHONPATH"].split(os.pathsep)
            assert places == [str(copy / "data"), "/elsewhere", str(copy)]
        monkeypatch.delenv("PYTHONPATH")
        with copied(request(folder)) as (inside, _):
            assert inside.environment == ()

    def test_what_is_only_read_can_be_linked(self, folder: Path) -> None:
        with copied(request(folder, "data")) as (_, copy):
            assert (copy / "data").is_symlink()
            assert (copy / "data" / "big.txt").read_text() == "numbers"
        assert (folder / "data" / "big.txt").exists()

    def test_a_link_within_the_folder_leads_to_the_copy(self, folder: Path) -> None:
        (folder / "last.txt").symlink_to(folder / "data" / "big.txt")
        with copied(request(folder)) as (_, copy):
            (copy / "same" / "big.txt").write_text("new")
            (copy / "last.txt").write_text("newer")
            assert (copy / "data" / "big.txt").read_text() == "newer"
        assert (folder / "data" / "big.txt").read_text() == "numbers"
        with copied(request(folder, "data")) as (_, copy):
            assert (copy / "same" / "big.txt").resolve() == folder / "data" / "big.txt"

    def test_what_is_to_be_written_in_a_link_is_the_copys_own(self, folder: Path) -> None:
        inner = folder / "data" / "code" / "net.py"
        inner.parent.mkdir()
        inner.write_text("user's")
        inner.chmod(0o400)
        with copied(request(folder, "data")) as (_, copy):
            place = copy / "data" / "code" / "net.py"
            make_own(copy, place)
            make_own(copy, place)
            place.write_text("ported")
            assert place.stat().st_mode & 0o200
            assert (copy / "data" / "big.txt").is_symlink()
        assert inner.read_text() == "user's"
        assert inner.stat().st_mode & 0o777 == 0o400

    def test_what_is_left_out_cannot_be_linked(self, folder: Path) -> None:
        (folder / "env" / "data.txt").write_text("")
        with pytest.raises(UserError, match="is left out of the copy"), copied(request(folder, "env/data.txt")):
            pass

    def test_a_temporary_folder_in_the_folder_is_not_copied(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(folder))
        with copied(request(folder)) as (_, copy):
            assert copy.parent.parent == folder
            assert not list(copy.glob("xlaport-sandbox-*"))

    @pytest.mark.parametrize("link", ["nothing", "..", ".", "/"])
    def test_a_link_is_in_the_folder(self, folder: Path, link: str) -> None:
        with (
            pytest.raises(UserError, match=f"--sandbox-link {link}: name a file or folder in"),
            copied(request(folder, link)),
        ):
            pass

    def test_too_much_is_refused_with_what_takes_the_room(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MOST", 3)
        (folder / "data" / "big.txt").write_text("x" * 10**8)
        with pytest.raises(UserError, match=r"would copy 0\.1 GB of .*: data \(0\.1 GB\)"), copied(request(folder)):
            pass
        with pytest.raises(UserError, match=r"train\.py"), copied(request(folder, "data")):
            pass  # the script itself is more than three bytes

    def test_a_script_named_by_its_whole_path_is_the_one_in_the_copy(self, folder: Path) -> None:
        with copied(request(folder, script=str(folder / "train.py"))) as (inside, copy):
            assert inside.script == copy / "train.py"
        other = str(folder.parent / "other.py")
        with copied(request(folder, script=other)) as (inside, _):
            assert inside.script == other or inside.script == Path(other)


@dataclass(frozen=True)
class Record:
    path: str
    rest: object
    number: int = 1


def test_what_is_known_is_told_of_the_folder() -> None:
    inner = Record("/tmp/s/project/a.py", 1.5)
    seen = Record("/tmp/s/project", {"/tmp/s/project/b": [inner, (Path("/tmp/s/project/c"), None)]})
    told = restored(seen, Path("/tmp/s/project"), Path("/home/p"))
    assert told == Record("/home/p", {"/home/p/b": [Record("/home/p/a.py", 1.5), (Path("/home/p/c"), None)]})
    other = Record("/x", (1, 2))
    assert restored(other, Path("/tmp/s"), Path("/home/p")) == other


def test_nothing_lands_in_the_folder(folder: Path) -> None:
    run = xlaport_run("verify", "project/train.py", "--cwd", "project", "--sandbox", cwd=folder.parent)
    assert run.returncode == 2
    assert "read numbers" in run.stderr
    assert "project/train.py:5" in run.stdout
    assert "at the end" in run.stdout
    assert "xlaport-sandbox" not in run.stdout
    assert sorted(path.name for path in folder.iterdir()) == [
        ".git", "data", "elsewhere", "env", "same", "train.py",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--sandbox-link", "data"), "nothing is linked without --sandbox: leave out --sandbox-link"),
        (("--cwd", "nowhere"), "--cwd nowhere: no such folder"),
    ],
)
def test_bad_input_is_one_line(folder: Path, arguments: tuple[str, ...], told: str) -> None:
    run = xlaport_run("verify", "train.py", *arguments, cwd=folder)
    assert (run.returncode, run.stderr) == (2, f"xlaport: {told}\n")


class TestOwnTree:
    @pytest.mark.parametrize(
        ("port", "directory", "original", "own"),
        [
            ("port/train.py", "port", "cuda/train.py", "cuda"),
            ("port/pkg/train.py", "port", "cuda/pkg/train.py", "cuda"),
            ("port/pkg/train.py", "port/pkg", "cuda/pkg/train.py", "cuda/pkg"),
            ("port/pkg/train.py", "port/conf", "cuda/pkg/train.py", "cuda/conf"),
            ("port/train.py", "port", "cuda/train_cuda.py", None),  # no counterpart
            ("port/train.py", "port", "port/train_cuda.py", None),
            ("port/train.py", ".", "cuda/train.py", None),  # started above both
        ],
    )
    def test_is_that_of_the_same_layout(
        self, tmp_path: Path, port: str, directory: str, original: str, own: str | None
    ) -> None:
        for name in ("port/pkg", "port/conf", "cuda/pkg", "cuda/conf"):
            (tmp_path / name).mkdir(parents=True, exist_ok=True)
        for name in (port, original):
            (tmp_path / name).write_text("")
        asked = VerifyRequest(
            Path(os.path.relpath(tmp_path / port, tmp_path / directory)), directory=tmp_path / directory
        )
        assert own_tree(asked, tmp_path / original) == (None if own is None else tmp_path / own)

    @pytest.mark.parametrize("words", ["--nproc-per-node 1 port/train.py --lr 3", "--nproc-per-node 1 -m train --lr 3"])
    def test_is_started_by_the_launcher_of_the_port(self, tmp_path: Path, words: str) -> None:
        for name in ("port/train.py", "cuda/train.py"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("")
        asked = VerifyRequest("torch.distributed.launch", tuple(words.split()), module=True, directory=tmp_path)
        run = original_of(asked, Against(Path("cuda/train.py")))
        assert (run.script, run.module, run.directory) == (asked.script, True, tmp_path)
        assert run.arguments == ("--nproc-per-node", "1", str(tmp_path / "cuda" / "train.py"), "--lr", "3")
