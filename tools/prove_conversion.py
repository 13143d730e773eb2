"""Convert a copy of real code, and look at everything that is promised of it.

    python -m tools.prove_conversion PATH [--multi] [--safe] [--aloud] [--keep FOLDER] [--seconds N]

PATH (a folder or a file) is copied, the copy is converted with ``--unsafe`` (``--safe``: without) by the command line,
then converted again. Looked at, by comparing the two trees: the run ends with no traceback and no rule failed; every
file that compiled compiles; the second conversion changes nothing; a file without a fixed finding is the same to the
byte; line ends, mark and mode of a changed file stay; nothing was added or lost. Prints the figures, and each broken
promise on a line. Exit code 1 where there is one.

A line that differs in a statement without a fixed finding is printed, too, to be looked at: what one finding changes in
several places is reported at one of them.

``--aloud`` adds a comment with the words of all rules to each Python file of the copy, so that every rule looks at each
of them: code that has nothing to do with torch has to come out as it was, or nearly.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlaport import registry

NEVER = shutil.ignore_patterns("__pycache__", ".git", "*.pyc", "*.so", "site-packages")


@dataclass
class Run:
    """One conversion: its report, and what it took."""

    report: dict[str, Any]
    exit_code: int
    errors: str
    seconds: float
    cpu: float


def convert(folder: Path, options: list[str], seconds: float) -> Run:
    """Convert a folder in place by the command line, as a user does."""
    # Not the tree's own modules: torch has a random.py.
    variables = {"PYTHONPATH": str(Path(__file__).parent.parent), "PYTHONSAFEPATH": "1", "XLAPORT_NO_CACHE": "1"}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "xlaport", "convert", ".", "--output-format", "json", *options], cwd=folder,
        env={**os.environ, **variables}, capture_output=True, text=True, check=False, timeout=seconds,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads(done.stdout) if done.stdout.startswith("{") else {"findings": [], "errors": [], "files": {}}
    return Run(report, done.returncode, done.stderr, time.monotonic() - begun, cpu)


def compiles(path: Path) -> bool:
    """Whether this Python takes the file for a program."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def tree(folder: Path) -> dict[str, Path]:
    """The files of a folder by their names in it."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


Look = Callable[[Path, Path, list[dict[str, Any]]], Iterator[str]]
"""The old file, the new one and its findings ─► what there is to say."""


def problems(old: Path, new: Path, found: list[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with a changed file."""
    if compiles(old) and not compiles(new):
        yield "does not compile any longer"
    data, ported = old.read_bytes(), new.read_bytes()
    ends = [set(re.findall(rb"\r\n|\r|\n", piece)) for piece in (data, ported)]
    if len(ends[0]) == 1 and not ends[1] <= ends[0]:
        yield "has line ends of another kind"
    if old.stat().st_mode != new.stat().st_mode:
        yield "has another mode"
    if data.startswith(b"\xef\xbb\xbf") != ported.startswith(b"\xef\xbb\xbf"):
        yield "has lost its mark"


def far(old: Path, new: Path, found: list[dict[str, Any]]) -> Iterator[str]:
    """The lines of a changed file that differ in statements of which no fixed finding speaks."""
    data = old.read_bytes()
    encoding, _ = tokenize.detect_encoding(iter(data.splitlines(keepends=True)).__next__)
    text = data.decode(encoding)
    lines, spoken = text.splitlines(), spoken_of(text, found)
    ported = new.read_bytes().decode(encoding).splitlines()
    for kind, first, last, _, _ in difflib.SequenceMatcher(None, lines, ported, autojunk=False).get_opcodes():
        # What is only added stands beside a line that is spoken of, or among the imports.
        touched = range(first, last) if last > first else range(first - 1, first + 1)
        if kind != "equal" and not any(line + 1 in spoken for line in touched):
            yield f"line {first + 1}: {''.join(lines[first : first + 1]).strip()[:80]}"


def spoken_of(text: str, found: list[dict[str, Any]]) -> set[int]:
    """The lines that may change: functions, or statements of a class or module, with a fixed finding, and imports."""
    fixed = {line for f in found if f["fixed"] for line in range(f["line"], f["end_line"] + 1)}
    spoken: set[int] = set()
    pending: list[ast.stmt] = list(ast.parse(text).body)
    if any(isinstance(s, ast.Expr) for s in pending[:1]):
        spoken |= {pending[0].end_lineno or 0, (pending[0].end_lineno or 0) + 1}
    while pending:
        statement = pending.pop()
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
        whole = set(range(first - 1, (statement.end_lineno or first) + 2))
        if isinstance(statement, ast.Import | ast.ImportFrom):
            spoken |= whole
        elif isinstance(statement, ast.ClassDef):
            pending += statement.body
        elif whole & fixed:
            spoken |= whole
        else:
            pending += [child for child in ast.walk(statement) if isinstance(child, ast.Import | ast.ImportFrom)]
    return spoken


def main() -> None:
    """Convert, compare, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--safe", action="store_true", help="without --unsafe")
    parser.add_argument("--multi", action="store_true", help="with --multi")
    parser.add_argument("--aloud", action="store_true", help="let every rule look at every file")
    parser.add_argument("--keep", type=Path, help="leave the port in this folder, which must not exist")
    parser.add_argument("--seconds", type=float, default=3600, help="end a conversion that takes longer")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        raise SystemExit(_prove(given, Path(folder)))


def _prove(given: argparse.Namespace, folder: Path) -> int:
    before, port = folder / "before", given.keep or folder / "port"
    if given.path.is_dir():
        shutil.copytree(given.path, before, ignore=NEVER, symlinks=True, ignore_dangling_symlinks=True)
    else:
        before.mkdir()
        shutil.copy(given.path, before)
    if given.aloud:
        words = " ".join(sorted({word for rule in registry.load() for word in (*rule.words, *rule.across)}))
        for path in before.rglob("*.py"):
            with path.open("ab") as file:
                file.write(f"\n# torch {words}\n".encode())
    shutil.copytree(before, port, symlinks=True)
    options = [*([] if given.safe else ["--unsafe"]), *(["--multi"] if given.multi else [])]
    first = convert(port, options, given.seconds)
    strayed = [*_strayed(before, port, first), *_compared(before, port, first, problems)]
    broken = [f"{name}: {what}" for name, what in strayed]
    once = {name: path.read_bytes() for name, path in tree(port).items()}
    second = convert(port, options, given.seconds)
    broken += [
        f"{name}: the second conversion changes it" for name, p in tree(port).items() if p.read_bytes() != once[name]
    ]
    for which, run in (("first", first), ("second", second)):
        if "Traceback" in run.errors or run.exit_code not in (0, 2):
            broken.append(f"the {which} conversion ended with {run.exit_code}: {run.errors.strip()[-300:]}")
    findings, errors = first.report["findings"], first.report["errors"]
    broken += [f"{e['path']}: {e['message']}" for e in [*errors, *findings] if "bug of the rule" in e["message"]]
    changed = sum(before_path.read_bytes() != once.get(name) for name, before_path in tree(before).items())
    print(
        f"{given.path}: {first.report['files']}, {changed} files differ; {len(findings)} findings, "
        f"{sum(f['fixed'] for f in findings)} fixed; {len(errors)} errors; "
        f"{first.cpu:.1f} s CPU ({first.seconds:.1f} s) once, {second.cpu:.1f} s again; {len(broken)} promises broken"
    )
    for error in errors:
        print(f"  error: {error['path']}: {error['message']}")
    for name, what in _compared(before, port, first, far):
        print(f"  to be looked at: {name}: {what}")
    for line in broken:
        print(f"  BROKEN {line}")
    return 1 if broken else 0


def _strayed(before: Path, port: Path, run: Run) -> Iterator[tuple[str, str]]:
    """What was lost, added, or changed without a finding."""
    old, new = tree(before), tree(port)
    for name in sorted(old.keys() ^ new.keys()):
        yield name, "was lost" if name in old else "was added"
    fixed = {finding["path"] for finding in run.report["findings"] if finding["fixed"]}
    for name in sorted(old.keys() & new.keys() - fixed):
        if old[name].read_bytes() != new[name].read_bytes():
            yield name, "changed without a finding"


def _compared(before: Path, port: Path, run: Run, look: Look) -> Iterator[tuple[str, str]]:
    """What `look` says of each changed Python file."""
    old, new = tree(before), tree(port)
    for name in sorted(old.keys() & new.keys()):
        if name.endswith(".py") and old[name].read_bytes() != new[name].read_bytes():
            found = [finding for finding in run.report["findings"] if finding["path"] == name]
            yield from ((name, what) for what in look(old[name], new[name], found))


if __name__ == "__main__":
    main()
