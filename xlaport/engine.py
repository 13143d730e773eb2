"""Rules over one file: find, choose the edits that go together, apply them, repeat until nothing changes.

The engine alone decides. Findings whose edits may be applied are taken smallest first; what overlaps with
an edit already taken waits for the next round, which looks at the new text. After ten rounds at the most
the text is stable; where it is not, the rule that keeps changing it edits nothing in this file, and says so.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath

from xlaport import imports, registry, syntax
from xlaport.context import Context, known_roles
from xlaport.edits import Realiser
from xlaport.facts.module import Module
from xlaport.facts.names import Names
from xlaport.facts.program import Program
from xlaport.finding import Applicability, Finding, Span
from xlaport.layout import laid_out
from xlaport.ledger import Ledger
from xlaport.observed.resting import with_evidence
from xlaport.offers import offered
from xlaport.proposals import Proposal, choose
from xlaport.result import ReportedFinding
from xlaport.retelling import retold
from xlaport.rule import Rule, checked
from xlaport.splices import Splice, apply, once
from xlaport.suppressions.comments import in_python
from xlaport.suppressions.keeping import Keeping
from xlaport.target import Target
from xlaport.triggers import triggered
from xlaport.unfixed import left_out, within_cells, within_reach

MAX_ROUNDS = 10
_LAST_ROUNDS = 6
"""In so many, rules that undo each other in turns of two or three have equal parts, whichever began."""
_TOO_DEEP = "nested too deeply to be analysed; file left as it is"
IMPORT_AFTER = "torch"
"""New imports go behind the import of this package."""


class ConversionError(Exception):
    """A file that cannot be converted; its text is one line. The file stays as it was."""


@dataclass(frozen=True)
class Conversion:
    """The new text and the findings, placed in the old text."""

    text: str
    findings: tuple[ReportedFinding, ...]
    possible: tuple[ReportedFinding, ...] = ()
    """What may be so besides."""


@dataclass(frozen=True)
class Settings:
    """What the engine needs to know besides the rules."""

    target: Target
    allowed: frozenset[Applicability] = frozenset({Applicability.SAFE})
    """Findings of these kinds are applied."""
    families: tuple[str, ...] = ()
    """Beginnings of the codes of which what is unsafe is applied, too."""
    places: frozenset[tuple[str, str, int]] = frozenset()
    """Single findings of which what is unsafe is applied, too: the code, the path and the line of the original."""
    catalogue: tuple[Rule, ...] = ()
    """All rules that there are, chosen or not; without it, the chosen ones."""

    def allows(self, finding: Finding, row: Callable[[Finding], ReportedFinding]) -> bool:
        """Whether the edits of a finding may be applied. `row`: how it is reported."""
        is_unsafe = finding.applicability is Applicability.UNSAFE
        if finding.applicability in self.allowed or (is_unsafe and finding.code.startswith(self.families)):
            return True
        told = row(finding) if is_unsafe and self.places else None
        return told is not None and (told.code, told.path, told.line) in self.places


def parse(text: str) -> Module:
    """The parsed text. Raises `ConversionError` where Python cannot parse it."""
    try:
        return _parsed(text)
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        raise ConversionError(f"{where}{syntax.reason(text, error)}; file left as it is") from None
    except ValueError as error:
        raise ConversionError(f"cannot be parsed ({error}); file left as it is") from None


@dataclass(frozen=True)
class Member:
    """A file's place in its project: the other files are seen as they are on disk, whatever becomes of this one."""

    program: Program
    file: str | None = None
    """Its true path; None for a text that is alone."""
    is_notebook: bool = False
    unseen: Program | None = None
    """The same program, of which no run is known: what is found with `program` alone rests on a run."""
    line_name: Callable[[int, int], str] = lambda line, seen_from: str(line)
    """What a message calls a line, seen from another one: in a notebook, a line of a cell."""


def convert(
    text: str,
    path: str,
    rules: Sequence[Rule],
    settings: Settings,
    newline: str = "\n",
    member: Member | None = None,
) -> Conversion:
    """Apply the rules to one file's text until nothing changes. Raises `ConversionError`."""
    rules = registry.about(rules, settings.target)
    if in_python(text).skips_file:
        return Conversion(text, ())
    member = member or Member(Program(further=known_roles(settings.target)))
    known = member.program.facts(member.file) if member.file is not None else None
    original = known.module if known is not None and known.module.text == text else parse(text)
    try:
        return _convert(original, path, rules, settings, newline, member)
    except RecursionError:
        raise ConversionError(_TOO_DEEP) from None


def _convert(
    original: Module, path: str, rules: Sequence[Rule], settings: Settings, newline: str, member: Member
) -> Conversion:
    unsettled: frozenset[str] = frozenset()
    while True:
        found = _settled(original, path, rules, settings, newline, member, unsettled)
        if isinstance(found, Conversion):
            return found
        for code in found:
            without = _settled(original, path, rules, settings, newline, member, unsettled | {code})
            if isinstance(without, Conversion):
                return without
        unsettled |= {found[0]}


def _settled(
    original: Module,
    path: str,
    rules: Sequence[Rule],
    settings: Settings,
    newline: str,
    member: Member,
    unsettled: frozenset[str],
) -> Conversion | list[str]:
    """What becomes of the text; where that comes to no end, the codes of the rules that changed it last.

    The rules that are `unsettled` edit nothing.
    """
    ledger = Ledger(original, path, member.line_name)
    writer = _Writer(original, newline)
    module = original
    keeping = Keeping(lambda: in_python(module.text), ledger.to_original)
    rounds: list[set[str]] = []
    possible: list[ReportedFinding] | None = None
    for _ in range(MAX_ROUNDS):
        context = _context(module, rules, settings, member, ledger)
        wanted = triggered(module, rules, is_notebook=member.is_notebook)
        if possible is None:
            # What a run has not shown may be so in another one.
            possible = ledger.placed(
                keeping.left(find_possible(_unseen(module, rules, settings, member, ledger), wanted))
            )
        found = find(context, wanted)
        if member.unseen is not None:
            unseen = find(_unseen(module, rules, settings, member, ledger), wanted)
            found = with_evidence(unseen, found, member.program.observed)
        findings = keeping.left(within_reach(finding) for finding in found)
        findings = [left_out(finding, MAX_ROUNDS) if finding.code in unsettled else finding for finding in findings]
        if member.is_notebook:
            realiser = Realiser(module, newline)
            findings = [within_cells(finding, realiser) for finding in findings]
        offers = keeping.offers(offered(module, findings, newline, IMPORT_AFTER)) if module is original else None
        allowed = [finding for finding in findings if finding.edits and settings.allows(finding, ledger.row)]
        chosen = choose(module, allowed, newline, keeping, rules)
        ledger.see(map(keeping.told, findings), module.text)
        if offers is not None:
            ledger.offer(offers)
        written = writer.write(module, chosen)
        if written is None:
            break
        module, applied, splices = written
        ledger.applied(((p.finding, p.splices) for p in applied if p.finding is not None), splices)
        rounds.append({p.finding.code for p in applied if p.finding is not None})
    else:
        parts = Counter(code for codes in rounds[-_LAST_ROUNDS:] for code in codes)
        return sorted(parts, key=lambda code: (parts[code], code), reverse=True)
    if module is not original and module.old_keywords:
        raise ConversionError(f"line {module.old_keywords[0].lineno}: {syntax.ASYNC}; file left as it is")
    if module is not original and PurePath(path).name != "__init__.py":
        module = _drop_idle_imports(module, original, newline, member, keeping)
    reported = ledger.report(keeping.report(in_python(original.text), rules, settings.catalogue, settings.target))
    told = {(finding.code, finding.line) for finding in reported}
    left = [finding for finding in possible or () if (finding.code, finding.line) not in told]
    return Conversion(module.text, reported, tuple(left))


def find(context: Context, wanted: Sequence[Rule]) -> list[Finding]:
    """All findings of some rules in a file, in source order.

    Raises `ConversionError` where a rule fails: half of the findings would be worse than none.
    """
    for rule in sorted(wanted, key=lambda rule: rule.residual):
        found = _checked(rule, rule.check, context)
        context.found += found
    return sorted(context.found, key=_in_text)


def find_possible(context: Context, wanted: Sequence[Rule]) -> list[Finding]:
    """What may be so, in source order. Raises `ConversionError` where a rule fails."""
    found = [finding for rule in wanted for finding in _checked(rule, rule.check_possible, context)]
    return sorted((replace(finding, is_possible=True) for finding in found), key=_in_text)


def _context(module: Module, rules: Sequence[Rule], settings: Settings, member: Member, ledger: Ledger) -> Context:
    view = member.program.seen_from(member.file, module)
    context = Context(module, settings.target, [rule.code for rule in rules], view)
    context.allows = lambda finding: settings.allows(finding, ledger.row)
    return context


def _unseen(module: Module, rules: Sequence[Rule], settings: Settings, member: Member, ledger: Ledger) -> Context:
    """What is known of a text without a run."""
    if member.unseen is None:
        return _context(module, rules, settings, member, ledger)
    own = member.unseen.facts(member.file) if member.file is not None else None
    module = own.module if own is not None and own.module.text == module.text else module
    return _context(module, rules, settings, replace(member, program=member.unseen), ledger)


def _in_text(finding: Finding) -> tuple[Span, str, str]:
    return finding.span, finding.code, finding.message


def _checked(rule: Rule, check: Callable[[Context], Iterable[object]], context: Context) -> list[Finding]:
    try:
        return [retold(finding, context.target, rule.traits) for finding in checked(check(context))]
    except RecursionError:
        raise
    except Exception as error:  # a rule may be anybody's: its bug costs this file, not the run
        raise ConversionError(
            f"rule {rule.code} ({rule.name}) failed: {type(error).__name__}: {' '.join(str(error).split())}; this "
            f"is a bug of the rule, please report it; file left as it is (--ignore {rule.code} converts without it)"
        ) from error


class _Writer:
    """Turns the chosen proposals of a round into new text."""

    def __init__(self, original: Module, newline: str) -> None:
        self.original = original
        self.newline = newline
        self._last: Module | None = None

    @cached_property
    def compiles(self) -> bool:
        """A file that does not compile (`return` outside of a function) cannot be asked to do so afterwards."""
        return _compile_error(self.original) is None

    def write(self, module: Module, chosen: list[Proposal]) -> tuple[Module, list[Proposal], list[Splice]] | None:
        """The new module, the proposals applied and the splices. What would break the text is left out."""
        good = self._harmless(module, [], chosen)
        if not good:
            return None
        new, splices = self._spliced(module, good)
        return new, good, splices

    def _harmless(self, module: Module, kept: list[Proposal], more: list[Proposal]) -> list[Proposal]:
        """`kept`, and those of `more` that break nothing beside them; found by halving."""
        if not more:
            return kept
        try:
            self._spliced(module, [*kept, *more])
        except _BrokenError:
            if len(more) == 1:
                return kept
            half = len(more) // 2
            return self._harmless(module, self._harmless(module, kept, more[:half]), more[half:])
        return [*kept, *more]

    def _spliced(self, module: Module, chosen: list[Proposal]) -> tuple[Module, list[Splice]]:
        """The text with the proposals applied. Raises `_BrokenError` where it is no longer a program."""
        splices = once(splice for proposal in chosen for splice in proposal.splices)
        wanted = [request for p in chosen if p.finding is not None for request in p.finding.imports]
        # New imports come first at their place: other insertions there may need them.
        splices = imports.additions(module, wanted, self.newline, IMPORT_AFTER) + splices
        splices = laid_out(module.text, splices)
        text = apply(module.text, splices)
        if self._last is not None and self._last.text == text:
            return self._last, splices
        try:
            new = _parsed(text)
        except (SyntaxError, ValueError) as error:
            raise _BrokenError(str(error)) from None
        error_text = _compile_error(new) if self.compiles else None
        if error_text is not None:
            raise _BrokenError(error_text)
        self._last = new
        return new, splices


class _BrokenError(Exception):
    """Text that Python cannot parse or compile came out of some edits."""


def _parsed(text: str) -> Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes and the like are the user's affair
            return Module(text)
    except (RecursionError, MemoryError):
        raise ConversionError(_TOO_DEEP) from None


def _compile_error(module: Module) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(module.tree, "<converted>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return str(error)
    except (RecursionError, MemoryError):
        raise ConversionError(_TOO_DEEP) from None
    return None


def _drop_idle_imports(module: Module, original: Module, newline: str, member: Member, keeping: Keeping) -> Module:
    """The module without the imports that the edits have made idle, and that no other file gets from here."""
    before, names = imports.used_imports(original, Names(original)), Names(module)
    idle = {name for name in before if not names.uses(names.root, name)}
    if member.file is not None:
        idle -= member.program.used_elsewhere(member.file, idle)
        # Importing a module of the project may do more than bind its name.
        idle = {name for name in idle if not member.program.is_own(member.file, names.spelled_at_top(name))}
    splices = keeping.leaves(imports.removals(module, names, idle, newline))
    return parse(apply(module.text, laid_out(module.text, splices))) if splices else module
