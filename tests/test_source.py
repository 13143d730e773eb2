"""Bytes to text and back, and the atomic replacement of a file."""

from __future__ import annotations

import os
import random
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlaport import source
from xlaport.errors import UserError
from xlaport.source import Source, decode, encode, read_bytes, read_source, write_atomically

HERE = Path("x.py")


def refusal(data: bytes) -> str:
    with pytest.raises(UserError) as caught:
        decode(HERE, data)
    message = str(caught.value)
    assert "\n" not in message
    return message


class TestDecode:
    @pytest.mark.parametrize(
        ("data", "text", "encoding", "bom", "newline"),
        [
            (b"", "", "utf-8", False, "\n"),
            (b"a = 1", "a = 1", "utf-8", False, "\n"),
            (b"a\r\nb\r\nc\n", "a\r\nb\r\nc\n", "utf-8", False, "\r\n"),
            (b"a\nb\r\n", "a\nb\r\n", "utf-8", False, "\n"),
            (b"a\rb\rc\n", "a\rb\rc\n", "utf-8", False, "\r"),
            (b"\xef\xbb\xbf# \xc3\xa9\n", "# \xe9\n", "utf-8", True, "\n"),
            (b"\xef\xbb\xbf# coding: utf-8\n", "# coding: utf-8\n", "utf-8", True, "\n"),
            (b"# coding: utf-8-sig\na\n", "# coding: utf-8-sig\na\n", "utf-8", False, "\n"),
            (b"# coding: latin-1\n# \xe9\n", "# coding: latin-1\n# \xe9\n", "iso-8859-1", False, "\n"),
            (b"#!/usr/bin/python\n# -*- coding: cp1252 -*-\n# \x80\n", None, "cp1252", False, "\n"),
            (
                b"# one\r# coding: koi8-r\r# \xc1\r",
                "# one\r# coding: koi8-r\r# \u0430\r",
                "koi8-r",
                False,
                "\r",
            ),
            (b"# one\n# two\n# coding: latin-1\n", None, "utf-8", False, "\n"),
            # Line 3 of a file with carriage returns only: too late for a declaration.
            (b"# one\r# two\r# coding: latin-1\r", None, "utf-8", False, "\r"),
            (b"x = '\x0c\xe2\x80\xa8'\n", "x = '\x0c\u2028'\n", "utf-8", False, "\n"),
        ],
    )
    def test_what_a_file_says(self, data: bytes, text: str | None, encoding: str, bom: bool, newline: str) -> None:
        found = decode(HERE, data)
        assert (found.encoding, found.bom, found.newline) == (encoding, bom, newline)
        assert text is None or found.text == text
        assert encode(found, found.text) == data

    def test_what_is_refused_says_why_and_what_to_do(self) -> None:
        assert "null bytes" in refusal(b"import torch\n\0")
        assert "not valid utf-8 at line 3" in refusal(b"#\n#\n# \xe9\n")
        assert "unusable encoding" in refusal(b"# \xe9\n")
        assert "unknown encoding: klingon" in refusal(b"# coding: klingon\n")
        assert "mark of UTF-8 but declares another encoding" in refusal(b"\xef\xbb\xbf# coding: latin-1\n")
        assert "rot13" in refusal(b"# coding: rot13\n")
        assert "not valid ascii at line 2" in refusal(b"# coding: ascii\n# \xe9\n")
        assert "round trip" in refusal(b"# coding: iso-2022-jp\n# \x1b(B\n")

    @given(st.binary(max_size=200))
    def test_any_bytes_come_back_or_are_refused(self, data: bytes) -> None:
        try:
            found = decode(HERE, data)
        except UserError:
            return
        assert encode(found, found.text) == data

    @given(
        st.sampled_from(["utf-8", "latin-1", "cp1252", "shift_jis", "gbk", "big5", "euc-kr", "iso-2022-jp"]),
        st.booleans(),
        st.text(max_size=60),
        st.sampled_from(["\n", "\r\n", "\r"]),
    )
    def test_every_declared_encoding_comes_back(self, encoding: str, bom: bool, text: str, newline: str) -> None:
        body = f"# coding: {encoding}{newline}# {text}".encode(encoding, "ignore")
        data = (b"\xef\xbb\xbf" if bom and encoding == "utf-8" else b"") + body
        try:
            found = decode(HERE, data)
        except UserError:
            assert b"\0" in data or body.decode(encoding, "replace").encode(encoding, "replace") != body
            return
        assert encode(found, found.text) == data
        assert found.text == body.decode(encoding)

    def test_an_edited_text_keeps_mark_and_encoding(self) -> None:
        found = decode(HERE, b"\xef\xbb\xbfa = 1\r\n")
        assert encode(found, found.text + "b = '\xe9'\r\n") == b"\xef\xbb\xbfa = 1\r\nb = '\xc3\xa9'\r\n"

    def test_a_new_text_outside_the_encoding_is_refused(self) -> None:
        found = decode(HERE, b"# coding: latin-1\n")
        with pytest.raises(UserError, match="iso-8859-1 cannot express"):
            encode(found, found.text + "\u20ac")
        with pytest.raises(UserError):
            encode(Source(HERE, "", "utf-8", False, "\n"), "\udc80")


class TestReadSource:
    def test_reads_the_file(self, tmp_path: Path) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"a\r\n")
        assert read_source(path) == Source(path, "a\r\n", "utf-8", False, "\r\n")

    def test_missing_file_and_folder(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="cannot be read: No such file"):
            read_source(tmp_path / "x.py")
        with pytest.raises(UserError, match="cannot be read: Is a directory"):
            read_source(tmp_path)
        with pytest.raises(UserError, match="cannot be read"):
            read_source(Path("a\0b.py"))

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "x.py")
        with pytest.raises(UserError, match="cannot be read: it is not a regular file"):
            read_source(tmp_path / "x.py")

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
    def test_what_no_word_can_be_found_in(self, tmp_path: Path, encoding: str) -> None:
        path = tmp_path / "x.py"
        path.write_bytes("\ufeffimport torch\n".encode(encoding))
        with pytest.raises(UserError, match=f"is {encoding[:6].upper()}, which Python does not read: save it as UTF-8"):
            read_bytes(path)

    def test_too_big(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"#" * 2_000_001)
        monkeypatch.setattr(source, "MAX_BYTES", 2_000_000)
        with pytest.raises(UserError, match="larger than 2 MB"):
            read_source(path)
        path.write_bytes(b"#" * 2_000_000)
        assert len(read_source(path).text) == 2_000_000


def in_an_ordinary_process(action: Callable[[], None]) -> str:
    """The message of the `UserError` that `action` raises in a forked child, who is not root."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        message = "no error"
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            action()
        except UserError as error:
            message = str(error)
        except BaseException as error:
            message = repr(error)
        os.write(writer, message.encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as pipe:
        message = pipe.read()
    os.waitpid(child, 0)
    return message


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """A folder that every user can reach and write to."""
    for parent in (tmp_path, *tmp_path.parents):
        if not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


class TestWriteAtomically:
    def test_replaces_and_keeps_the_mode(self, tmp_path: Path) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"old")
        path.chmod(0o751)
        write_atomically(path, b"new")
        assert path.read_bytes() == b"new"
        assert stat.S_IMODE(path.stat().st_mode) == 0o751
        assert os.listdir(tmp_path) == ["x.py"]

    def test_what_somebody_else_has_written_stays(self, tmp_path: Path) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"theirs")
        with pytest.raises(UserError, match="was changed by somebody else while it was converted"):
            write_atomically(path, b"new", expected=b"old")
        assert path.read_bytes() == b"theirs"
        path.unlink()
        with pytest.raises(UserError, match="is gone or cannot be read"):
            write_atomically(path, b"new", expected=b"old")
        assert os.listdir(tmp_path) == []

    def test_what_changes_in_the_last_moment_stays(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"old")
        monkeypatch.setattr(os, "fsync", lambda descriptor: path.write_bytes(b"theirs"))
        with pytest.raises(UserError, match="was changed by somebody else"):
            write_atomically(path, b"new", expected=b"old")
        assert path.read_bytes() == b"theirs"
        assert os.listdir(tmp_path) == ["x.py"]

    def test_what_another_run_has_written_is_well(self, tmp_path: Path) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"new")
        write_atomically(path, b"new", expected=b"old")
        assert path.read_bytes() == b"new"

    def test_a_new_file_gets_the_usual_mode(self, tmp_path: Path) -> None:
        usual = tmp_path / "usual.py"
        usual.write_bytes(b"")
        write_atomically(tmp_path / "new.py", b"new")
        assert (tmp_path / "new.py").read_bytes() == b"new"
        assert (tmp_path / "new.py").stat().st_mode == usual.stat().st_mode

    def test_keeps_the_owner(self, tmp_path: Path) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"old")
        # Only root can give a file away; anybody else keeps his own.
        owner = (1234, 4321) if os.getuid() == 0 else (os.getuid(), os.getgid())
        os.chown(path, *owner)
        path.chmod(0o640)
        write_atomically(path, b"new")
        status = path.stat()
        assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (*owner, 0o640)

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        target = tmp_path / "real" / "x.py"
        target.write_bytes(b"old")
        link = tmp_path / "link.py"
        link.symlink_to(Path("real") / "x.py")
        write_atomically(link, b"new")
        assert link.is_symlink()
        assert target.read_bytes() == b"new"
        assert os.listdir(target.parent) == ["x.py"]

    def test_a_circle_of_links(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").symlink_to("b.py")
        (tmp_path / "b.py").symlink_to("a.py")
        with pytest.raises(UserError, match="cannot be written"):
            write_atomically(tmp_path / "a.py", b"")

    def test_the_longest_name(self, tmp_path: Path) -> None:
        path = tmp_path / ("\u00e9" * 126 + ".py")
        path.write_bytes(b"old")
        write_atomically(path, b"new")
        assert path.read_bytes() == b"new"

    def test_a_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "x.py").mkdir()
        with pytest.raises(UserError, match="not a regular file"):
            write_atomically(tmp_path / "x.py", b"new")
        with pytest.raises(UserError, match="cannot be written"):
            write_atomically(tmp_path / "missing" / "x.py", b"new")
        with pytest.raises(UserError, match="cannot be written"):
            write_atomically(tmp_path / "x\0.py", b"new")

    def test_a_read_only_file_is_refused_for_root_too(self, tmp_path: Path) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"old")
        path.chmod(0o444)
        with pytest.raises(UserError, match="read-only"):
            write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["x.py"]

    def test_a_file_of_another_user_is_refused(self, open_folder: Path) -> None:
        path = open_folder / "x.py"
        path.write_bytes(b"old")
        # As root the file is another user's; else it is our own, without a write bit.
        path.chmod(0o644 if os.getuid() == 0 else 0o444)
        assert "read-only" in in_an_ordinary_process(lambda: write_atomically(path, b"new"))
        assert path.read_bytes() == b"old"

    def test_a_read_only_folder(self, open_folder: Path) -> None:
        path = open_folder / "x.py"
        path.write_bytes(b"old")
        path.chmod(0o666)
        open_folder.chmod(0o555)
        message = in_an_ordinary_process(lambda: write_atomically(path, b"new"))
        assert message.startswith("cannot be written: Permission denied;")
        assert path.read_bytes() == b"old"
        assert os.listdir(open_folder) == ["x.py"]

    def test_a_full_disk(self, open_folder: Path) -> None:
        path = open_folder / "x.py"
        path.write_bytes(b"old")
        path.chmod(0o666)

        def write() -> None:
            # The limit makes the kernel stop in the middle of the data, as a full disk does.
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
            write_atomically(path, b"new" * 100_000)

        assert in_an_ordinary_process(write).startswith("cannot be written: File too large;")
        assert path.read_bytes() == b"old"
        assert os.listdir(open_folder) == ["x.py"]

    def test_an_interrupt_leaves_nothing_behind(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "x.py"
        path.write_bytes(b"old")

        def interrupt(_: int) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write_atomically(path, b"new")
        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["x.py"]


WRITE_FOR_EVER = """
import sys
from pathlib import Path
from xlaport.source import write_atomically
path = Path(sys.argv[1])
contents = [b"old\\n" * 300_000, b"new version\\n" * 150_000]
print("ready", flush=True)
while True:
    for content in contents:
        write_atomically(path, content)
"""


def test_a_killed_process_never_leaves_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    contents = {b"old\n" * 300_000, b"new version\n" * 150_000}
    path.write_bytes(b"old\n" * 300_000)
    seed = random.Random(1)
    for _ in range(40):
        child = subprocess.Popen(
            [sys.executable, "-c", WRITE_FOR_EVER, str(path)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        time.sleep(seed.uniform(0, 0.03))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert path.read_bytes() in contents
    leftovers = [name for name in os.listdir(tmp_path) if name != "x.py"]
    # Without one the kills never fell into a write, and nothing would be proved.
    assert leftovers
    assert all(name.startswith(".x.py.xlaport-") and name.endswith(".tmp") for name in leftovers)
