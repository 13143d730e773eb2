"""Several scripts on one command line: each is judged by itself, and the worst decides the exit code."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import MODEL, call

GOOD = MODEL + "for i in range(6):\n    train(batch())\n    torch_xla.sync()\n"
BAD = MODEL + "for i in range(6):\n    train(batch())\n"


def test_each_has_its_own_verdict_in_one_document(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(GOOD)
    (tmp_path / "b.py").write_text(BAD)
    ended = call(tmp_path, "a.py", "b.py", "--html", "page.html", "--output-format", "json")
    document = json.loads(ended.stdout)
    assert list(document) == ["version", "tool", "verdict", "scripts"]
    assert (ended.returncode, document["verdict"]) == (1, "fail")
    a, b = document["scripts"]
    assert (a["script"], a["verdict"], a["steps"], a["findings"]) == ("a.py", "pass", 6, [])
    assert (b["script"], b["verdict"], b["findings"][0]["kind"]) == ("b.py", "fail", "no-barrier")
    assert "version" not in a
    assert "<h1>" in (tmp_path / "page-a.html").read_text()
    assert "no-barrier" in (tmp_path / "page-b.html").read_text()
    assert not (tmp_path / "page.html").exists()
    assert "2 scripts, one after the other: a.py, b.py" in ended.stderr


def test_each_has_a_headline_and_gets_the_arguments(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(f"import sys\nraise ValueError('{name}: ' + sys.argv[1])\n")
    ended = call(tmp_path, "a.py", "b.py", "--", "b.py")
    assert ended.returncode == 2
    lines = ended.stdout.splitlines()
    assert lines[0].startswith("a.py: ERROR: a.py:2: The script failed: ValueError: a: b.py")
    assert lines[2].startswith("b.py: ERROR: b.py:2: The script failed: ValueError: b: b.py")
    assert lines[-3:] == ["2 scripts: 2 error", "  ERROR a.py", "  ERROR b.py"]


def test_what_cannot_be_is_one_line_before_anything_runs(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("open('ran', 'w')\n")
    for arguments, told in [
        (("a.py", "b.py", "--against", "a.py"), "--against compares one script with its original: leave out --against"),
        (("a.py", "c.py"), "c.py: no such file. Several words that end in .py are scripts"),
        (("a.py", "--lr=3"), "no option --lr here"),
        (("a.py", "--lr=3"), "an option of the script stands behind --:  xlaport verify SCRIPT -- --lr …"),
    ]:
        ended = call(tmp_path, *arguments)
        assert (ended.returncode, ended.stdout) == (2, "")
        assert ended.stderr.count("\n") == 1
        assert told in ended.stderr
    assert not (tmp_path / "ran").exists()
