"""Statements of a step loop that stand together and only show what the device has: what one closure can do."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.between import Stays
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import TENSORS, Role
from xlaport.rule import Edit, RemoveStatement, Replace, ReplaceStatement, Span

from .closures import Handed, handed, tensors_of
from .outputs import ended, shown

_LINE = 88
ENDING = frozenset({"sys.exit", "os._exit", "builtins.exit", "builtins.quit", "os.abort"})


@dataclass(frozen=True)
class LogRun:
    """Statements of one block, the last of which shows; those before it show, too, or give names to what they show."""

    block: list[ast.stmt]
    statements: tuple[ast.stmt, ...]
    own: frozenset[str]
    """The names that only these statements use."""
    handed: Handed

    @property
    def last(self) -> ast.stmt:
        """The statement in whose place the closure is made."""
        return self.statements[-1]


@dataclass(frozen=True)
class Refusal:
    """A statement that shows what the device has, and stays as it is."""

    statement: ast.stmt
    why: Stays


def log_runs(context: Context, loop: StepLoop) -> list[LogRun | Refusal]:
    """All of a loop, in source order; those of step loops in it are theirs."""
    return list(_in_block(context, loop, loop.node.body))


def _in_block(context: Context, loop: StepLoop, block: list[ast.stmt]) -> Iterator[LogRun | Refusal]:
    index = 0
    while index < len(block):
        statement = block[index]
        if isinstance(statement, ast.If):
            yield from _in_block(context, loop, statement.body)
            yield from _in_block(context, loop, statement.orelse)
        elif isinstance(statement, ast.With):
            yield from _in_block(context, loop, statement.body)
        elif _begins(context, statement):
            found = _longest(context, loop, block, index)
            yield found
            if isinstance(found, LogRun):
                index = block.index(found.last)
        index += 1


def _begins(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement shows something, or gives a name to what is read."""
    if shown(context, statement) is not None:
        return True
    is_plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    return is_plain and bool(context.reads.within([statement]))


def _longest(context: Context, loop: StepLoop, block: list[ast.stmt], index: int) -> LogRun | Refusal:
    """The longest run that begins with a statement and needs the device; else, why that stays."""
    members: list[ast.stmt] = []
    passed: list[ast.stmt] = []
    best: LogRun | None = None
    why: Stays | None = None
    for statement in block[index:]:
        names = _bound(members)
        shows = shown(context, statement) is not None
        if shows or _is_naming(context, statement, names):
            members.append(statement)
            if not shows:
                continue
            found = _run(context, loop, block, members, passed)
            if isinstance(found, LogRun):
                best = found
            elif found is not None:
                why = why or found
                if best is not None or len(members) == 1:
                    break
        elif _is_in_the_way(context, statement, members):
            break
        else:
            passed.append(statement)
    return best or Refusal(block[index], why or Stays("what is read is used further on"))


def _bound(members: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that statements give to what they read."""
    targets = [s.targets[0] if isinstance(s, ast.Assign) else s.target for s in members
               if isinstance(s, ast.Assign | ast.AugAssign)]  # fmt: skip
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def _is_naming(context: Context, statement: ast.stmt, names: frozenset[str]) -> bool:
    """``value = loss.item()``, and what is made of that: ``text += f"{value:.3f}"``."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        if not isinstance(statement.targets[0], ast.Name):
            return False
        used = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
        return bool(context.reads.within([statement])) or not names.isdisjoint(used)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id in names
    return False


def _is_in_the_way(context: Context, statement: ast.stmt, members: Sequence[ast.stmt]) -> bool:
    """Whether what stands between two statements of a run would notice that the first one runs later."""
    own = _bound(members)
    mentioned = {n.id for s in members for n in ast.walk(s) if isinstance(n, ast.Name)}
    for node in walk_block([statement]):
        if isinstance(node, ast.Name):
            if node.id in own or (node.id in mentioned and not isinstance(node.ctx, ast.Load)):
                return True
        if isinstance(node, ast.stmt) and shown(context, node) is not None:
            return True
        if isinstance(node, ast.Continue | ast.Break | ast.Return | ast.Raise | ast.Yield | ast.YieldFrom | ast.Delete):
            return True
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return True  # what is shown may be kept there
        if isinstance(node, ast.Call) and not mentioned.isdisjoint(_objects(context, node)):
            return True
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.For | ast.While | ast.Try):
            return True
    if context.reads.within([statement]) or context.loops.effects([statement]).barriers:
        return True
    return context.steps.between.is_changed_in(mentioned, members[-1] if members else statement, [statement])


def _objects(context: Context, call: ast.Call) -> set[str]:
    """The names of what a call may change: neither tensors nor plain values."""
    kept = (*TENSORS, Role.NUMBER, Role.TEXT)
    names = (n for n in ast.walk(call) if isinstance(n, ast.Name) and context.resolve(n) is None)
    return {n.id for n in names if not context.roles.is_(n, *kept)}


def _run(
    context: Context, loop: StepLoop, block: list[ast.stmt], members: Sequence[ast.stmt], passed: Sequence[ast.stmt]
) -> LogRun | Stays | None:
    """The run of some statements; None where it needs nothing of the device."""
    own = _bound(members)
    if not tensors_of(context, members):
        return None
    for statement in members:
        call = shown(context, statement)
        stays = ended(context, call) if call is not None else None
        if stays is not None:
            return stays
        if _has_long_string(context, statement):
            return Stays("its text goes over several lines")
    kept = next((s for s in members if not _is_theirs(context, s, members)), None)
    if kept is not None:
        return Stays("what is read is used further on", kept)
    way_out = next((s for s in block[block.index(members[-1]) + 1 :] if _ends_here(context, s)), None)
    if way_out is not None and block is not loop.node.body:
        return Stays("ends the program, and the closure would not run", way_out)
    found = handed(context, members, loop, own)
    return found if isinstance(found, Stays) else LogRun(block, tuple(members), own, found)


def _ends_here(context: Context, statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(statement, ast.Raise) or (isinstance(call, ast.Call) and context.resolve(call.func) in ENDING)


def _is_theirs(context: Context, statement: ast.stmt, members: Sequence[ast.stmt]) -> bool:
    """Whether only these statements use what a statement binds."""
    if not isinstance(statement, ast.Assign | ast.AugAssign):
        return True
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    home = context.names.home(target) if isinstance(target, ast.Name) else None
    if home is None or not isinstance(target, ast.Name):
        return False
    inside = {node for s in members for node in ast.walk(s)}
    mine = [b for b in home.bindings[target.id] if b.node in inside]
    if any(b.elsewhere for b in home.bindings[target.id]) or any(b.how not in (How.ASSIGN, How.AUGMENT) for b in mine):
        return False
    nodes = {b.node for b in mine}
    if home.parent is None and context.flow.structure.is_everywhere(context.view.own, target.id):
        return False
    for use in context.names.uses(home, target.id):
        reached = {b.node for b in context.names.reaching(use)}
        if use in inside and not reached <= nodes:
            return False
        if use not in inside and not reached.isdisjoint(nodes):
            return False
    for augmented in (b.node for b in home.bindings[target.id] if b.how is How.AUGMENT):
        reached = {b.node for b in context.names.reaching(augmented)} if isinstance(augmented, ast.Name) else set()
        if (augmented in inside) != (not reached.isdisjoint(nodes)) or (augmented in inside and not reached <= nodes):
            return False
    return True


def _has_long_string(context: Context, statement: ast.stmt) -> bool:
    """Whether a string literal goes over several lines: indented anew, it would be another."""
    segment = context.module.segment(statement)
    if "\n" not in segment:
        return False
    kinds = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    tokens = tokenize.generate_tokens(io.StringIO(segment).readline)
    return any(token.type in kinds and token.start[0] != token.end[0] for token in tokens)


# -- what is written ---------------------------------------------------------------------------------------


def is_function(context: Context, run: LogRun) -> bool:
    """Whether the closure of a run is a function of its own: of several statements, or of several lines."""
    return len(run.statements) > 1 or "\n" in _text(context, run, run.last)


def edits_of(context: Context, run: LogRun, add: str, name: str) -> list[Edit]:
    """The edits that make a closure of a run: a lambda of one statement, or a function called `name` of several."""
    names = ", ".join(run.handed.names)
    values = list(run.handed.names.values())
    args = f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"
    texts = [_text(context, run, statement) for statement in run.statements]
    found: list[Edit] = [RemoveStatement(context.span(s), with_comment=True) for s in run.statements[:-1]]
    parameters = f" {names}" if names else ""
    if not is_function(context, run):
        line = f"{add}(lambda{parameters}: {texts[0]}, args={args}, run_async=True)"
        if run.last.col_offset + len(line) > _LINE:
            line = f"{add}(\n    lambda{parameters}: {texts[0]},\n    args={args},\n    run_async=True,\n)"
        return [*found, ReplaceStatement(context.span(run.last), line)]
    comments = [*(_above(context, s) for s in run.statements[:-1]), ""]  # the last one keeps its own
    body = "\n".join(comment + text for comment, text in zip(comments, texts, strict=True))
    body = "\n".join(f"    {line}" if line.strip() else line for line in body.split("\n"))
    code = f"def {name}({names}):\n{body}\n\n{add}({name}, args={args}, run_async=True)"
    if not _needs_blank(context, run):
        return [*found, ReplaceStatement(context.span(run.last), code)]
    start = context.module.line_start(run.last.lineno)
    indent = context.module.text[start : context.span(run.last).start]
    lines = (f"{indent}{line}" if line else "" for line in ("", *code.split("\n")))
    return [*found, Replace(Span(start, context.span(run.last).end), "\n".join(lines))]


def _needs_blank(context: Context, run: LogRun) -> bool:
    """Whether a function in the place of a run would follow a statement without a blank line in between."""
    first = run.block.index(run.statements[0])
    is_one = run.block[first : first + len(run.statements)] == list(run.statements)
    anchor = run.statements[0] if is_one else run.last
    start = context.module.line_start(run.last.lineno)
    if anchor is run.block[0] or context.module.text[start : context.span(run.last).start].strip():
        return False
    line = anchor.lineno - 1
    if anchor is not run.last:
        line -= _above(context, anchor).count("\n")
    above = context.module.text[context.module.line_start(line) : context.module.line_end(line)].strip()
    return bool(above) and not above.startswith("#")


def _text(context: Context, run: LogRun, statement: ast.stmt) -> str:
    """The text of a statement in the closure, as it would stand at the begin of a line."""
    span = context.span(statement)
    text, start = context.module.text[span.start : span.end], span.start
    for place, new in sorted(run.handed.spans, reverse=True):
        if span.contains(place):
            text = text[: place.start - start] + new + text[place.end - start :]
    line = context.module.line_start(statement.lineno)
    indent = context.module.text[line : line + statement.col_offset]
    return "\n".join(line.removeprefix(indent) if number else line for number, line in enumerate(text.split("\n")))


def _above(context: Context, statement: ast.stmt) -> str:
    """The comment lines directly above a statement that goes into a function."""
    found: list[str] = []
    line = statement.lineno - 1
    while line > 0:
        text = context.module.text[context.module.line_start(line) : context.module.line_end(line)]
        if not text.strip().startswith("#") or len(text) - len(text.lstrip()) != statement.col_offset:
            break
        found.append(text.strip())
        line -= 1
    return "".join(f"{text}\n" for text in reversed(found))


def place_of(context: Context, run: LogRun) -> Span:
    """The place of a finding: the first read, or the statement."""
    reads = context.reads.within(list(run.statements))
    node = reads[0].node if reads else run.statements[0]
    return context.span(node) if context.editable(node) else context.span(context.module.statement(node))
