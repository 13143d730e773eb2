"""What the fix of each finding does to a file by itself: for reports that show or offer it."""

from __future__ import annotations

from collections.abc import Iterable

from xlaport import imports
from xlaport.edits import EditError, Realiser
from xlaport.facts.module import Module
from xlaport.finding import Finding
from xlaport.layout import laid_out
from xlaport.result import Fix, TextEdit
from xlaport.splices import Splice, SpliceSet


def offered(module: Module, findings: Iterable[Finding], newline: str, after: str) -> dict[Finding, Fix]:
    """The fixes of the findings of a file, each alone. What cannot be applied by itself is left out.

    New imports go behind the import of the package `after`.
    """
    realiser = Realiser(module, newline)
    found: dict[Finding, Fix] = {}
    for finding in findings:
        if not finding.edits:
            continue
        try:
            splices = realiser.splices(*finding.edits)
        except EditError:
            continue
        splices = laid_out(module.text, splices)
        added = imports.additions(module, finding.imports, newline, after)
        if _go_together([*added, *splices]):
            found[finding] = Fix(_edits(splices), _edits(added))
    return found


def _go_together(splices: Iterable[Splice]) -> bool:
    taken = SpliceSet()
    for splice in splices:
        if not taken.admits([splice]):
            return False
        taken.add([splice])
    return True


def _edits(splices: Iterable[Splice]) -> tuple[TextEdit, ...]:
    return tuple(TextEdit(s.start, s.end, s.text) for s in sorted(splices, key=lambda s: (s.start, s.end)))
