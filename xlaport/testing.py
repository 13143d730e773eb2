"""Tests for rules, by example: what `xlaport` tests its own with, for whoever writes others.

A folder has a folder for each rule, by its code, and in it one for each case: the program, `before.py` (or
`before.yaml`, `before.sh`, `before.ipynb` … for a rule over such files; or a folder `before` with several files), what
becomes of it, `after.py`, which is not there where it stays as it is, and what is said of it, `findings.txt`:

    snapshots/ACME101/plain/before.py
    snapshots/ACME101/plain/after.py
    snapshots/ACME101/plain/findings.txt

The name of a case says what it shows; its end says how it is converted:

    …               with the rule alone, safe fixes only
    …-unsafe        with the rule alone, unsafe fixes too
    …-all           with all rules; `…-all-unsafe`, too
    …-target-2.4…   for that target, not for the newest torch_xla (`old-sync-target-2.4-unsafe`, `…-target-torch_tpu`)
    keep-…          nothing may be rewritten: the text stays as it is

With pytest:

    CASES = testing.cases(HERE / "snapshots", packs=[HERE.parent])

    @pytest.mark.parametrize("case", CASES, ids=str)
    def test_case(case: testing.Case) -> None:
        case.check()

Where the variable ``XLAPORT_UPDATE`` is set, `check` writes what comes out, for you to read.
"""

from __future__ import annotations

import ast
import difflib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xlaport import registry, run
from xlaport.config import Config
from xlaport.context import known_roles
from xlaport.documents import convert as documents
from xlaport.documents.document import Document, Kind, kind_of
from xlaport.engine import Conversion, Member, Settings, convert
from xlaport.facts.program import Program
from xlaport.notebook.convert import Notebook, convert_notebook
from xlaport.notebook.document import read
from xlaport.result import ReportedFinding
from xlaport.rule import Rule
from xlaport.source import Source
from xlaport.targets.known import DEFAULT
from xlaport.unfixed import UNSETTLED

FINDINGS = "findings.txt"
UPDATE = "XLAPORT_UPDATE"


def cases(snapshots: Path | str, packs: Iterable[Path | str] = ()) -> list[Case]:
    """The cases in a folder, for rules of the built-in pack and of others. Raises `UserError` for a pack that is none.

    Raises `ValueError` for a folder of no rule, and for a case without anything to convert.
    """
    names = tuple(map(str, packs))
    codes = {rule.code for rule in registry.load_all(names)}
    found: list[Case] = []
    for folder in sorted(path for path in Path(snapshots).glob("*/*/") if path.is_dir()):
        if folder.parent.name not in codes:
            raise ValueError(f"{folder.parent}: no rule has this code")
        if len(list(folder.glob("before*"))) != 1:
            raise ValueError(f"{folder}: one before.py is wanted, one file of another kind, or one folder")
        found.append(Case(folder, names))
    return found


@dataclass(frozen=True)
class Case:
    """One program, and what rules make of it."""

    folder: Path
    packs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.code}-{self.folder.name}"

    @property
    def code(self) -> str:
        """That of the rule it shows."""
        return self.folder.parent.name

    @property
    def before(self) -> Path:
        """The file, or the folder of files, that is converted."""
        (path,) = self.folder.glob("before*")
        return path

    @property
    def after(self) -> Path:
        """What it is converted to; there is none where it stays as it is."""
        return self.folder / self.before.name.replace("before", "after")

    @property
    def config(self) -> Config:
        """How it is converted, by its name."""
        name = self.folder.name
        versioned = re.search(r"-target-(\d+\.\d+|torch_[a-z]+)(?=-|$)", name)
        return Config(
            select=() if name.removesuffix("-unsafe").endswith("-all") else (self.code,),
            unsafe=name.endswith("-unsafe"),
            target=versioned[1] if versioned else DEFAULT,
            packs=self.packs,
        )

    def outcome(self) -> dict[str, str]:
        """What comes out, by the paths of its files in the folder of the case.

        Raises `AssertionError` where that is no Python, where a second conversion would change it again, where edits
        come to no end, and where a case ``keep-…`` is rewritten.
        """
        before = _texts(self.before)
        after, findings = self._of_project(before) if self.before.is_dir() else self._of_file(before)
        restless = [line for line in findings if UNSETTLED in line]
        assert not restless, f"{self}: {restless[0]}"
        if self.folder.name.startswith("keep-"):
            assert after == before, f"{self}: this must not be rewritten"
        changed = {name: text for name, text in after.items() if text != before.get(name)}
        place = f"{self.after.name}/" if self.before.is_dir() else ""
        return {place + (name if place else self.after.name): text for name, text in changed.items()} | {
            FINDINGS: "".join(f"{line}\n" for line in findings)
        }

    def check(self) -> None:
        """Raise `AssertionError` where something else comes out than the case has, or write it (``XLAPORT_UPDATE``)."""
        expected = {**_texts(self.after, f"{self.after.name}/"), **_texts(self.folder / FINDINGS)}
        outcome = self.outcome()
        if UPDATE in os.environ:
            self._write(outcome, expected)
            return
        differences = [
            "".join(_diff(name, expected.get(name), outcome.get(name)))
            for name in sorted({*expected, *outcome})
            if expected.get(name) != outcome.get(name)
        ]
        told = f"{self}: something else comes out; set {UPDATE}=1 to write it\n"
        assert not differences, told + "".join(differences)

    def _of_file(self, before: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
        ((name, text),) = before.items()
        conversion = self._converted(text)
        again = self._converted(conversion.text)
        assert again.text == conversion.text, f"{self}: converting twice changes something"
        assert not any(finding.fixed for finding in again.findings), f"{self}: a second conversion fixes something"
        return {name: conversion.text}, listed([*conversion.findings, *conversion.possible])

    def _converted(self, text: str) -> Conversion:
        config = self.config
        catalogue = registry.load_all(config.packs)
        rules = registry.choose(catalogue, config.select, config.ignore)
        settings = replace(config.settings(), catalogue=catalogue)
        kind = kind_of(self.before)
        if kind is Kind.NOTEBOOK:
            return _of_notebook(text, rules, settings)
        if kind is not None:
            return documents.convert(Document(text, kind), "before", rules, settings)
        conversion = convert(text, "before.py", rules, settings, "\r\n" if "\r\n" in text else "\n")
        ast.parse(conversion.text)
        return conversion

    def _of_project(self, before: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
        result = run.convert([self.before], self.config)
        assert not result.errors, f"{self}: {result.errors}"
        after = {**before, **{_name(file.path, self.before): file.after for file in result.files}}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in after.items():
                ast.parse(text)
                _put(Path(folder, name), text)
            assert not run.convert([Path(folder)], self.config).changed, f"{self}: converting twice changes something"
        lines = [
            line if line.startswith(" ") else f"{_name(file.path, self.before)}:{line}"
            for file in result.files
            for line in listed([*file.findings, *file.possible])
        ]
        return after, lines

    def _write(self, outcome: Mapping[str, str], expected: Mapping[str, str]) -> None:
        for name in expected.keys() - outcome.keys():
            (self.folder / name).unlink()
        for name, text in outcome.items():
            _put(self.folder / name, text)


def _of_notebook(text: str, rules: Sequence[Rule], settings: Settings) -> Conversion:
    notebook = Notebook(Source(Path("before.ipynb"), text, "utf-8", False, "\n"), read(text))
    member = Member(Program(further=known_roles(settings.target)))
    found = convert_notebook(notebook, "before.ipynb", rules, settings, member)
    return Conversion(found[0].after, found[0].findings, found[0].possible) if found else Conversion(text, ())


def listed(findings: Sequence[ReportedFinding]) -> list[str]:
    """A line for each finding, as in `findings.txt`; below it, further in, its notes, its recipe and its snippet.

    What is only possible says so.
    """
    return [line for finding in findings for line in _told(finding)]


def _told(finding: ReportedFinding) -> Iterator[str]:
    done = f"{finding.applicability.value} {'fixed' if finding.fixed else 'open'}"
    yield f"{_place(finding)} {finding.code} {'possible' if finding.is_possible else done}: {finding.message}"
    yield from (f"    note: {note}" for note in finding.notes)
    if finding.recipe:
        yield f"    recipe: {finding.recipe}"
    yield from (f"    | {line}".rstrip() for line in finding.snippet.splitlines())


def _place(finding: ReportedFinding) -> str:
    cell = f"cell {finding.cell}:" if finding.cell is not None else ""
    return f"{cell}{finding.line}:{finding.column}"


def _texts(path: Path, prefix: str = "") -> dict[str, str]:
    """The text of a file, by its name, or those of the Python files in a folder; nothing where there is neither."""
    if path.is_dir():
        return {prefix + _name(file, path): _text(file) for file in sorted(path.rglob("*.py"))}
    return {path.name: _text(path)} if path.is_file() else {}


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _diff(name: str, expected: str | None, outcome: str | None) -> Iterable[str]:
    there, here = ((text or "").splitlines(keepends=True) for text in (expected, outcome))
    lines = difflib.unified_diff(there, here, f"{name} of the case", f"{name} now")
    return (line if line.endswith("\n") else f"{line}\n" for line in lines)
