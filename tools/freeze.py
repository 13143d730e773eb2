"""What xlaport says of many trees, kept, so that a change of the analysis can be set against it.

    python -m tools.freeze take FOLDER before.json       each folder in FOLDER is a tree
    python -m tools.freeze compare before.json after.json

`take` converts each tree with unsafe fixes and writes nothing into it. `compare` prints a line for each finding that is
gone, new or of another kind, and for each file whose text comes out otherwise where its findings are the same. For
another checkout's word: ``PYTHONPATH=CHECKOUT python tools/freeze.py take …``.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from xlaport import run
from xlaport.config import Config
from xlaport.result import FileResult

Said = Mapping[str, Any]
"""Of one file: ``findings``, each a list of line, column, code, kind and message; ``after``, its text; ``error``."""

_SHOWN = 6
"""How many lines of a difference of texts are printed."""


def take(folder: Path) -> dict[str, dict[str, Said]]:
    """By the name of a tree, and the path of a file in it."""
    trees = sorted(path for path in folder.iterdir() if path.is_dir())
    return {tree.name: _of_tree(tree) for tree in trees}


def _of_tree(tree: Path) -> dict[str, Said]:
    here = Path.cwd()
    os.chdir(tree)  # paths are relative to it
    try:
        files = run.convert([Path()], Config(unsafe=True)).files
    finally:
        os.chdir(here)
    return {file.path.as_posix(): _of_file(file) for file in files if file.findings or file.error}


def _of_file(file: FileResult) -> Said:
    findings = sorted(
        [f.cell or 0, f.line, f.column, f.code, f"fixed {f.applicability.value}" if f.fixed else f.applicability.value,
         f.message]
        for f in file.findings
    )  # fmt: skip
    error = file.error.message if file.error else ""
    return {"findings": findings, "after": file.after if file.changed else "", "error": error}


def compare(before: Mapping[str, Mapping[str, Said]], after: Mapping[str, Mapping[str, Said]]) -> Iterator[str]:
    """A line for each change, with its tree and file."""
    for tree in sorted({*before, *after}):
        old, new = before.get(tree, {}), after.get(tree, {})
        for path in sorted({*old, *new}):
            nothing: Said = {"findings": [], "after": "", "error": ""}
            for line in _changes(old.get(path, nothing), new.get(path, nothing)):
                yield f"{tree}/{path}{line}"


def _changes(old: Said, new: Said) -> Iterator[str]:
    if old["error"] != new["error"]:
        yield f": error: {old['error'] or 'none'} -> {new['error'] or 'none'}"
    was, now = _by_place(old), _by_place(new)
    for place in sorted({*was, *now}):
        cell, line, column, code = place[:4]
        where = f":{line}:{column}" + (f" (cell {cell})" if cell else "")
        if place not in now:
            yield f"{where} {code} gone: {was[place][4]}: {was[place][5]}"
        elif place not in was:
            yield f"{where} {code} new: {now[place][4]}: {now[place][5]}"
        elif was[place][4] != now[place][4]:
            yield f"{where} {code} {was[place][4]} -> {now[place][4]}"
        elif was[place][5] != now[place][5]:
            yield f"{where} {code} says: {now[place][5]}"
    if [row[:5] for row in old["findings"]] == [row[:5] for row in new["findings"]] and old["after"] != new["after"]:
        lines = difflib.unified_diff(old["after"].splitlines(), new["after"].splitlines(), lineterm="", n=0)
        changed = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
        yield ": the text comes out otherwise\n    " + "\n    ".join(changed[:_SHOWN])


def _by_place(said: Said) -> dict[tuple[Any, ...], list[Any]]:
    """By cell, line, column and code, and a number where there are several."""
    met: Counter[tuple[Any, ...]] = Counter()
    found = {}
    for row in said["findings"]:
        place = tuple(row[:4])
        found[(*place, met[place])] = row
        met[place] += 1
    return found


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    taking = commands.add_parser("take")
    taking.add_argument("folder", type=Path)
    taking.add_argument("out", type=Path)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    given = parser.parse_args()
    if given.command == "take":
        out = given.out.resolve()
        taken = take(given.folder.resolve())
        out.write_text(json.dumps(taken, indent=1) + "\n", encoding="utf-8")
        found = Counter(row[3] for files in taken.values() for said in files.values() for row in said["findings"])
        print(f"{len(taken)} trees, {sum(found.values())} findings of {len(found)} rules: {given.out}")
        return
    before, after = (json.loads(path.read_text(encoding="utf-8")) for path in (given.before, given.after))
    changes = list(compare(before, after))
    print("\n".join([*changes, f"{len(changes)} changes"]))
    sys.exit(bool(changes))


if __name__ == "__main__":
    main()
