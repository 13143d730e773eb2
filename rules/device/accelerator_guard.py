"""XP104: questions whether CUDA is there."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, RemoveStatement, Replace, ReplaceStatement, Rule, Span

from . import cuda

_PRINTS = frozenset({"builtins.print", "warnings.warn", "sys.exit", "builtins.exit", "builtins.quit", "os._exit"})
_LOG_METHODS = frozenset({"info", "warning", "warn", "error", "debug", "critical"})


class AcceleratorGuard(Rule):
    """Answer `torch.cuda.is_available()` with yes, and fold what follows from it.

    ## What it does
    The question guards the accelerator's path, and on a TPU the answer is yes. In an `and` the question is
    dropped; a conditional expression or an `if` without another side becomes its first branch; an assertion,
    or an `if not …` that only complains, goes. Anywhere else the call becomes `True`. The other side of an
    `if` goes only where it does nothing that could be missed (the CPU device, a message, `raise`).

    ## Why
    Under torch_xla both `torch.cuda.is_available()` and `torch.accelerator.is_available()` are False: the
    script would silently train on the CPU.

    ## Example
        use_cuda = not args.no_cuda and torch.cuda.is_available()
        kwargs = {"num_workers": 4} if torch.cuda.is_available() else {}

    becomes

        use_cuda = not args.no_cuda
        kwargs = {"num_workers": 4}

    ## When it is wrong
    Where the guarded code needs CUDA itself (apex, custom kernels): such a branch has to be ported by hand.
    """

    code = "XP104"
    name = "accelerator-guard"
    summary = "torch.cuda.is_available() is answered with yes"
    applicability = Applicability.SAFE
    words = ("is_available", "is_bf16_supported")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each question."""
        for call in context.module.calls:
            if not cuda.is_available_call(context, call) or not context.editable(call):
                continue
            if self._chooses_device(context, call):
                continue
            edit = _Fold(context).edit(call)
            question = context.module.segment(call.func)
            yield self.finding(
                context.span(call),
                f"{question}() is False under torch_xla although the device is there: the accelerator's path is taken",
                edit,
            )

    def _chooses_device(self, context: Context, call: ast.Call) -> bool:
        """The test of a choice between the CUDA and the CPU device: XP101 and XP103 speak of it."""
        parent = context.module.parents[call]
        return (
            isinstance(parent, ast.IfExp)
            and parent.test is call
            and (cuda.is_cuda_string(parent.body) or cuda.is_cuda_device(context, parent.body))
            and cuda.is_cpu_device(context, parent.orelse)
        )


class _Fold:
    """Carries a known truth value outwards as far as it decides something."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module

    def edit(self, node: ast.expr) -> Edit:
        """The edit that replaces the question by what follows from its being true."""
        truth = True
        while True:
            parent = self.module.parents[node]
            if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
                node, truth = parent, not truth
                continue
            if isinstance(parent, ast.BoolOp):
                if isinstance(parent.op, ast.And) is truth:
                    dropped = self._dropped(parent, node)
                    return dropped or self._constant(node, truth)
                if node is parent.values[0]:
                    node = parent  # decides the whole: what follows is never evaluated
                    continue
                return self._constant(node, truth)
            if isinstance(parent, ast.IfExp) and node is parent.test:
                return self._branch(parent, parent.body if truth else parent.orelse)
            if isinstance(parent, ast.If) and node is parent.test:
                return self._statement(parent, truth) or self._constant(node, truth)
            if isinstance(parent, ast.Assert) and node is parent.test and truth:
                return RemoveStatement(self.context.span(parent))
            return self._constant(node, truth)

    def _constant(self, node: ast.expr, truth: bool) -> Edit:
        return Replace(self.context.span(node), str(truth))

    def _dropped(self, parent: ast.BoolOp, node: ast.expr) -> Edit | None:
        """The span of one operand with its ``and``/``or`` and its own parentheses."""
        word = "and" if isinstance(parent.op, ast.And) else "or"
        values = parent.values
        index = next(i for i, value in enumerate(values) if value is node)
        span = self.context.span(node)
        text = self.module.text
        if index > 0:
            before = self.context.span(values[index - 1]).end
            match = re.fullmatch(
                rf"([\s)\\]*?)(\s*(?:\\\r?\n\s*)?\b{word}\b[\s\\]*)(\(*)\s*", text[before : span.start]
            )
            if match is None:
                return None
            closing = re.match(r"\s*\)" * len(match[3]), text[span.end :])
            return Replace(Span(before + len(match[1]), span.end + closing.end()), "") if closing else None
        after = self.context.span(values[1]).start
        match = re.fullmatch(rf"\s*(\)*)[\s\\]*\b{word}\b[\s\\]*?(\s?)(\(*)", text[span.end : after])
        if match is None:
            return None
        opening = re.search(r"\(\s*" * len(match[1]) + "$", text[: span.start])
        if opening is None:
            return None
        return Replace(Span(opening.start(), after - len(match[3])), "")

    def _branch(self, parent: ast.IfExp, branch: ast.expr) -> Edit:
        text = self.module.segment(branch)
        span = self.context.span(parent)
        multi_line = "\n" in text or "\r" in text
        if (
            isinstance(branch, ast.IfExp | ast.BoolOp | ast.Lambda | ast.Compare | ast.BinOp | ast.UnaryOp)
            or multi_line
        ):
            simple = isinstance(self.module.parents[parent], ast.Assign | ast.AnnAssign | ast.Return | ast.keyword)
            if not simple or (multi_line and not isinstance(branch, ast.Call | ast.Dict | ast.List | ast.Tuple)):
                text = f"({text})"
        return Replace(span, text)

    # -- if statements ---------------------------------------------------------------------------------

    def _statement(self, statement: ast.If, truth: bool) -> Edit | None:
        if self._is_elif(statement):
            return None
        kept, dead = (statement.body, statement.orelse) if truth else (statement.orelse, statement.body)
        if dead and not self._can_go(dead, kept):
            return None
        if not kept or all(isinstance(s, ast.Pass) for s in kept):
            return RemoveStatement(self.context.span(statement))
        text = self._lifted(statement, kept)
        return ReplaceStatement(self.context.span(statement), text) if text is not None else None

    def _is_elif(self, statement: ast.If) -> bool:
        parent = self.module.parents[statement]
        return (
            isinstance(parent, ast.If)
            and parent.orelse == [statement]
            and self.module.text.startswith("elif", self.context.span(statement).start)
        )

    def _can_go(self, dead: list[ast.stmt], kept: list[ast.stmt]) -> bool:
        """Whether the branch that never runs does nothing beyond the CPU's counterpart of the other."""
        assigned = {n.id for s in kept for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return all(self._is_idle(statement, assigned) for statement in dead)

    def _is_idle(self, statement: ast.stmt, assigned: set[str]) -> bool:
        if isinstance(statement, ast.Pass | ast.Raise):
            return True
        if isinstance(statement, ast.Assign):
            return all(isinstance(t, ast.Name) and t.id in assigned for t in statement.targets)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            func = statement.value.func
            if self.context.resolve(func) in _PRINTS:
                return True
            return isinstance(func, ast.Attribute) and func.attr in _LOG_METHODS
        return False

    def _lifted(self, statement: ast.If, kept: list[ast.stmt]) -> str | None:
        """The text of a branch at the indentation of the ``if``; None where lines must not be shifted."""
        if any(self._is_long_string(node) for s in kept for node in ast.walk(s)):
            return None
        first = self.module.position(self.context.span(kept[0]).start)[0]
        last = kept[-1].end_lineno
        if first == statement.lineno or last is None:
            return None
        while self._is_comment(first - 1):
            first -= 1
        lines = self.module.text[self.module.line_start(first) : self.module.line_end(last)]
        text = textwrap.dedent(lines.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
        return text if not text.startswith((" ", "\t")) else None

    def _is_comment(self, line: int) -> bool:
        return self.module.text[self.module.line_start(line) : self.module.line_end(line)].lstrip().startswith("#")

    def _is_long_string(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes):
            return False
        return isinstance(node, ast.JoinedStr | ast.Constant) and node.lineno != node.end_lineno
