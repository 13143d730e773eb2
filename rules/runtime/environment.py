"""XP805: environment variables of CUDA, NCCL and their launchers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Rule

from ..catalogue import Disposition, Entry, Kind, catalogue
from ..removal import is_effect_free, removal

_NAME = re.compile(r"[A-Z][A-Z0-9_]{2,}")
_COMMAND = re.compile(r"(?:^|\s|;)(?:export\s+)?([A-Z][A-Z0-9_]{2,})=")


class Environment(Rule):
    """Drop environment variables that only CUDA reads, and report the others.

    ## What it does
    Removes `os.environ["CUDA_VISIBLE_DEVICES"] = "0"` and other statements that set a variable of CUDA, cuDNN or
    NCCL which the file does not read itself, and reports every other mention with what it is on a TPU.

    ## Why
    Nothing on a TPU reads them. Code that reads them to choose a device finds nothing, or the wrong thing.

    ## Example
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "0"
        root = os.environ["HOME"]

    becomes

        import os
        root = os.environ["HOME"]

    ## When it is wrong
    Where the variable is set for another program that this one starts on a GPU.
    """

    code = "XP805"
    name = "cuda-environment"
    summary = "environment variables of CUDA and NCCL go"
    applicability = Applicability.SAFE
    words = ("CUD", "NCCL", "NVIDIA", "environ", "getenv", "ALLOC_CONF", "CUBLAS", "TORCH", "TRITON", "XFORMERS")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each mention of such a variable."""
        for node in context.module.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from self._text(context, node, node.value)
            elif isinstance(node, ast.keyword) and node.arg is not None and self._fills_environment(context, node):
                entry = self._entry(node.arg)
                if entry is not None:
                    yield self._report(context, node, node.arg, entry)

    def _text(self, context: Context, node: ast.Constant, text: str) -> Iterator[Finding]:
        if isinstance(context.module.parents[node], ast.Expr) or not context.editable(node):
            return
        entry = self._entry(text) if _NAME.fullmatch(text) else None
        if entry is not None:
            if self._is_variable(context, node):
                yield self._mention(context, node, text, entry)
            return
        for match in _COMMAND.finditer(text):
            entry = self._entry(match[1])
            if entry is not None and entry.name.startswith(("env:CUDA", "env:NCCL", "env:PYTORCH_CUDA")):
                yield self._report(context, node, match[1], entry)
                return

    def _entry(self, variable: str) -> Entry | None:
        entry = catalogue().find(f"env:{variable}")
        if entry is None or entry.kind is not Kind.VARIABLE or entry.rule is not None:
            return None
        return entry if entry.answer.disposition is not Disposition.KEEP else None

    def _is_variable(self, context: Context, node: ast.Constant) -> bool:
        """Whether a text that is spelled like the variable is used for it: a key of the environment, or nearly so."""
        parent = context.module.parents[node]
        if isinstance(parent, ast.Subscript):
            return parent.slice is node and self._is_environment(context, parent.value)
        if isinstance(parent, ast.Call) and node in parent.args:
            called = context.resolve(parent.func) or ""
            return called in ("os.getenv", "os.putenv", "os.unsetenv") or (
                isinstance(parent.func, ast.Attribute) and self._is_environment(context, parent.func.value)
            )
        if isinstance(parent, ast.Compare):
            return any(self._is_environment(context, side) for side in parent.comparators)
        return isinstance(parent, ast.Dict | ast.List | ast.Tuple | ast.Set | ast.Assign)

    def _is_environment(self, context: Context, node: ast.expr) -> bool:
        """``os.environ``, a copy of it, or what is called ``env``."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        if (context.resolve(node) or "").startswith("os.environ"):
            return True
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        return "env" in name.lower()

    def _fills_environment(self, context: Context, node: ast.keyword) -> bool:
        """``dict(os.environ, CUDA_VISIBLE_DEVICES="0")``."""
        call = context.module.parents[node]
        if not isinstance(call, ast.Call):
            return False
        around = [*call.args, call.func.value] if isinstance(call.func, ast.Attribute) else call.args
        return any(self._is_environment(context, a) for a in around)

    def _mention(self, context: Context, node: ast.Constant, variable: str, entry: Entry) -> Finding:
        statement = context.module.statement(node)
        sets = (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and context.module.parents[node] is statement.targets[0]
            and is_effect_free(context, statement.value)
        ) or self._only_sets(context, node, statement)
        if not sets or entry.answer.disposition is not Disposition.REMOVE or self._is_read(context, variable):
            return self._report(context, node, variable, entry)
        return self.finding(
            context.span(statement),
            f"the environment variable {variable} {entry.answer.why}: setting it goes",
            removal(context, statement),
        )

    def _only_sets(self, context: Context, node: ast.Constant, statement: ast.stmt) -> bool:
        """``os.environ.setdefault(…)``, ``os.putenv(…)`` as a statement."""
        call = context.module.parents[node]
        return (
            isinstance(statement, ast.Expr)
            and statement.value is call
            and isinstance(call, ast.Call)
            and (context.resolve(call.func) or "").rpartition(".")[2] in ("setdefault", "putenv", "pop", "unsetenv")
            and is_effect_free(context, *call.args)
        )

    def _is_read(self, context: Context, variable: str) -> bool:
        mentions = [n for n in context.module.nodes if isinstance(n, ast.Constant) and n.value == variable]
        return any(not self._is_set(context, n) for n in mentions)

    def _is_set(self, context: Context, node: ast.Constant) -> bool:
        parent = context.module.parents[node]
        if isinstance(parent, ast.Subscript):
            return not isinstance(parent.ctx, ast.Load)
        return self._only_sets(context, node, context.module.statement(node))

    def _report(self, context: Context, node: ast.Constant | ast.keyword, variable: str, entry: Entry) -> Finding:
        answer = entry.answer
        message = f"the environment variable {variable} {answer.why or 'is read by nothing on a TPU'}"
        return self.finding(context.span(node), f"{message}. {answer.recipe.rstrip('.')}" if answer.recipe else message)
