"""XP959: imports of torch_xla that nothing uses, or that ask whether it is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.structure import Function
from xlaport.imports import exported
from xlaport.rule import Applicability, Edit, Finding, Harm, RemoveStatement, Replace, Rule, Trait

from .._lib.successor.saying import say

_LIBRARY = "torch_xla"
_ASKING = frozenset(
    {"importlib.util.find_spec", "importlib.import_module", "pkgutil.find_loader", "importlib.metadata.version"}
)


class TorchXlaImport(Rule):
    """Import nothing of torch_xla.

    ## What it does
    Removes imports of torch_xla whose names nothing uses, such as those that only register its device. An import in
    a `try`, and `find_spec("torch_xla")`, ask whether the machine has a TPU: they ask for torch_tpu now.

    ## Why
    torch_xla and torch_tpu need different versions of PyTorch. Where an import of torch_xla fails and the program
    catches that, it runs on the CPU, with no word of it.

    ## Example
        import torch_xla
        import torch_xla.distributed.xla_backend
        print(torch.__version__)

    becomes

        print(torch.__version__)

    ## When it is wrong
    Where the import of torch_xla is there for an effect that the program needs; torch_tpu comes with `import torch`.

    ## When it is left alone
    Imports whose names are used, of which the other rules speak, names that other files import from here, and those
    in the body of a class: they are attributes of it, which any code may use.

    ## Sources
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA.

    ## Related
    XP951, XP903.
    """

    code = "XP959"
    name = "torch-xla-import"
    summary = "imports of torch_xla go"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("torch_xla",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each import, and for each question by text."""
        for node in context.module.of_type(ast.Import, ast.ImportFrom):
            ours = [alias for alias in node.names if _is_ours(node, alias)]
            if not ours:
                continue
            if any(alias.name == "*" for alias in ours):
                yield self.finding(context.span(node), say("XP959.star", module=getattr(node, "module", "")))
            elif not any(_is_used(context, node, alias) for alias in ours):
                yield self._import(context, node, ours)
        for name in context.module.of_type(ast.Constant):
            if name.value == _LIBRARY and context.editable(name) and _is_asked_for(context, name):
                said = say("XP959.asked", new=context.target.package)
                edit = Replace(context.span(name), f'"{context.target.package}"')
                yield self.finding(context.span(name), said, edit, applicability=Applicability.UNSAFE)

    def _import(self, context: Context, node: ast.Import | ast.ImportFrom, ours: list[ast.alias]) -> Finding:
        names = {_bound(alias) for alias in ours}
        view = context.view
        elsewhere = set() if view.is_alone else view.program.used_elsewhere(view.own.file, names)
        if handed := elsewhere | (names & exported(context.module)):
            return self.finding(context.span(node), say("XP959.shared", names=", ".join(sorted(handed))))
        scope = context.names.scope(node)
        if held := {name for name in names if isinstance(scope.home(name).node, ast.ClassDef)}:
            return self.finding(context.span(node), say("XP959.attribute", names=", ".join(sorted(held))))
        span, new = context.span(node), context.target.package
        others = [ast.unparse(alias) for alias in node.names if alias not in ours]
        if _asks(context, node):
            edit: Edit = Replace(span, f"import {', '.join([*others, new])}")
            return self.finding(span, say("XP959.asked", new=new), edit, applicability=Applicability.UNSAFE)
        edit = Replace(span, f"import {', '.join(others)}") if others else RemoveStatement(span)
        return self.finding(span, say("XP959.idle"), edit)


def _is_asked_for(context: Context, name: ast.Constant) -> bool:
    """``find_spec("torch_xla")``, ``"torch_xla" in sys.modules``"""
    parent = context.module.parents[name]
    if isinstance(parent, ast.Compare):
        return any(context.resolve(side) == "sys.modules" for side in parent.comparators)
    return isinstance(parent, ast.Call) and parent.args[:1] == [name] and context.resolve(parent.func) in _ASKING


def _asks(context: Context, node: ast.stmt) -> bool:
    """Whether something else is done where an import fails, here or by a caller, and none before it there asks."""
    around = _around(context, node)
    if around is None or any(_imports(s, _LIBRARY, context.target.package) for s in _before(context, node, around)):
        return False
    return not isinstance(around, FunctionNode) or _is_tried(context, around)


def _is_tried(context: Context, function: FunctionNode) -> bool:
    """Whether a caller goes on behind an error of a function."""
    sites = context.flow.structure.calls_to(Function(context.view.own, function))
    return any(isinstance(_around(context.of(site.facts), site.node), ast.Try | ast.With) for site in sites)


def _around(context: Context, node: ast.AST) -> ast.Try | ast.With | FunctionNode | None:
    """The block behind whose errors the function of some code goes on, else the function itself."""
    child = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, FunctionNode):
            return parent
        if isinstance(parent, ast.Try | ast.With) and child in parent.body and _catches(context, parent):
            return parent
        child = parent
    return None


def _before(context: Context, statement: ast.stmt, around: ast.AST) -> Iterator[ast.stmt]:
    """The statements of something around a statement that have run where it runs."""
    for inner in (statement, *context.module.ancestors(statement)):
        if inner is around:
            return
        if isinstance(inner, ast.stmt):
            block = context.module.block(inner)
            yield from block[: block.index(inner)]


def _catches(context: Context, block: ast.Try | ast.With) -> bool:
    """``try: … except ImportError:``, ``with suppress(ImportError):``"""
    if isinstance(block, ast.Try):
        return bool(block.handlers)
    calls = (item.context_expr for item in block.items if isinstance(item.context_expr, ast.Call))
    return any(context.resolve(call.func) == "contextlib.suppress" for call in calls)


def _imports(statement: ast.stmt, *packages: str) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return not statement.level and (statement.module or "").partition(".")[0] in packages
    return isinstance(statement, ast.Import) and any(a.name.partition(".")[0] in packages for a in statement.names)


def _is_ours(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    module = alias.name if isinstance(node, ast.Import) else (node.module or "") if not node.level else ""
    return module.split(".")[0] == _LIBRARY


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _is_used(context: Context, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    """Whether a name that the import binds is used; ``torch_xla`` by whichever of the imports that bind it."""
    bound = _bound(alias)
    home = context.names.scope(node).home(bound)
    return any(
        any(b.how is How.IMPORT and b.node in (node, alias) for b in context.names.reaching(use))
        or not context.names.reaching(use)
        for use in context.names.uses(home, bound)
    )
