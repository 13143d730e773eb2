"""Rules over one document: find, and apply the edits that may be applied.

One round is enough: the rules replace values that do not overlap, and what they write they do not find again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xlaport import registry
from xlaport.documents.document import Document
from xlaport.engine import Conversion, ConversionError, Settings
from xlaport.finding import Finding, Replace, told
from xlaport.result import Fix, ReportedFinding, TextEdit
from xlaport.retelling import retold
from xlaport.rule import DocumentRule, Rule, checked
from xlaport.splices import Splice, SpliceSet, apply
from xlaport.suppressions.comments import in_document
from xlaport.suppressions.keeping import Keeping


def convert(document: Document, path: str, rules: Sequence[Rule], settings: Settings) -> Conversion:
    """Apply the rules to one document. Raises `ConversionError` where a rule fails."""
    rules = registry.about(rules, settings.target)
    comments = in_document(document)
    if comments.skips_file:
        return Conversion(document.text, ())
    keeping = Keeping(lambda: comments, lambda offset: offset)
    taken = SpliceSet()
    splices: list[Splice] = []
    reported: list[ReportedFinding] = []
    for finding in keeping.left(find(document, rules, settings)):
        wanted = [Splice(e.span.start, e.span.end, e.code) for e in finding.edits if isinstance(e, Replace)]
        is_held = keeping.holds(finding, wanted)
        is_allowed = settings.allows(finding, lambda each: _reported(document, path, each, False))
        fixed = bool(wanted) and is_allowed and taken.admits(wanted) and not is_held
        if fixed:
            taken.add(wanted)
            splices += wanted
        fix = Fix(tuple(TextEdit(s.start, s.end, s.text) for s in dict.fromkeys(wanted))) if wanted else None
        row = _reported(document, path, keeping.told(finding), fixed)
        reported.append(replace(row, fix=None if is_held else fix))
    for finding in keeping.report(comments, rules, settings.catalogue, settings.target):
        reported.append(_reported(document, path, finding, False))
    reported.sort(key=lambda r: (r.line, r.column))
    return Conversion(apply(document.text, dict.fromkeys(splices)), tuple(reported))


def find(document: Document, rules: Sequence[Rule], settings: Settings) -> list[Finding]:
    """The findings of the rules that read this kind and whose trigger words the text holds, in its order."""
    found: list[Finding] = []
    for rule in rules:
        if not isinstance(rule, DocumentRule) or document.kind not in rule.kinds:
            continue
        if not any(word in document.text for word in rule.words):
            continue
        try:
            checks = checked(rule.check_document(document, settings.target))
            found += [retold(finding, settings.target, rule.traits) for finding in checks]
        except Exception as error:  # a rule may be anybody's: its bug costs this file, not the run
            raise ConversionError(
                f"rule {rule.code} ({rule.name}) failed: {type(error).__name__}: {' '.join(str(error).split())}; this "
                f"is a bug of the rule, please report it; file left as it is (--ignore {rule.code} converts without it)"
            ) from error
    return sorted(found, key=lambda f: (f.span, f.code, f.message))


def _reported(document: Document, path: str, finding: Finding, fixed: bool) -> ReportedFinding:
    line, column = document.position(finding.span.start)
    end_line, end_column = document.position(finding.span.end)
    said = told(finding, lambda offset: document.position(offset)[0])
    return ReportedFinding(
        finding.code, finding.name, said.message, path, line, column, end_line, end_column,
        finding.applicability, fixed,
        recipe=said.recipe, snippet=said.snippet, notes=said.notes, harm=said.harm,
    )  # fmt: skip
