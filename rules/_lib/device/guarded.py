"""What a question for CUDA guards, and whether a TPU could run it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from xlaport.context import Context
from xlaport.facts.roles import dotted
from xlaport.facts.vocabulary import HALF
from xlaport.wording import Text

from ..distributed.staying import staying_group
from ..one_line import one_line
from . import cuda
from .cuda_code import is_cuda_package, needs_cuda, package_used
from .half_precision import chooser_of
from .saying import say

_SKIPS = frozenset({"unittest.skipIf", "unittest.skipUnless", "pytest.mark.skipif", "pytest.mark.xfail", "pytest.skip"})

_JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)

_WORDS = re.compile(r"\w+")
_END_OF_A_NAME = re.compile(r"[-_+](cpu|gpu|cuda\d*|cu\d+)", re.IGNORECASE)
_XLA_NAME = re.compile(r"(^|_)(xla|tpu)(_|$)")


def why_not(context: Context, question: ast.expr, negated: bool | None = None) -> Text | None:
    """What to say of a question whose answer must not be yes; None where it may be.

    `negated`: whether the question asks for CUDA's not being there (``device_count() == 0``).
    """
    found = _why_by_itself(context, question, negated)
    if found is not None or not isinstance(question, ast.Call):
        return found
    other = _belongs_to(context, question)
    if other is not None:
        where: str | None = f"line {context.line(other)}"
    else:
        where = chooser_of(context, question, lambda there, asked: _why_by_itself(there, asked) is not None)
    return say("XP104.together", question=one_line(context, question), where=where) if where is not None else None


def _why_by_itself(context: Context, question: ast.expr, negated: bool | None = None) -> Text | None:
    """Why the answer must not be yes, whatever becomes of other questions."""
    return _on_its_own(context, question, negated) or _by_its_name(context, question)


def _by_its_name(context: Context, question: ast.expr) -> Text | None:
    """``self.is_cuda = …``, where those that ask ``if self.is_cuda:`` do so for what only CUDA has."""
    node: ast.AST = question
    while isinstance(context.module.parents[node], ast.BoolOp):
        node = context.module.parents[node]
    assign = context.module.parents[node]
    path = dotted(assign.targets[0]) if isinstance(assign, ast.Assign) and len(assign.targets) == 1 else None
    if path is None:
        return None
    owner = context.module.class_of(assign) if "." in path else None
    home = owner or context.module.function(assign) or context.module.tree
    missing: str | None = None
    for use in ast.walk(home):
        if not isinstance(use, ast.Name | ast.Attribute) or not isinstance(use.ctx, ast.Load) or dotted(use) != path:
            continue
        if context.module.statement(use) is assign:
            continue  # `use_cuda = use_cuda and torch.cuda.is_available()`
        if in_decorator(context, use):
            return say("XP104.decorator", question=one_line(context, question))
        choice = context.module.parents[use]
        if isinstance(choice, ast.IfExp) and choice.test is use and _chooses_half(context, question, choice):
            return say("XP104.half", question=one_line(context, question), line=context.line(use))
        code = _chosen_by(context, use)
        if code is None or any(_places(context, n) for part in code for n in ast.walk(part)):
            return None
        missing = missing or next((name for part in code if (name := needs_cuda(context, part)) is not None), None)
    return say("XP104.needs", question=one_line(context, question), name=missing) if missing is not None else None


def _chosen_by(context: Context, use: ast.expr) -> list[ast.AST] | None:
    """The code that a condition decides about; None where a value is more than a condition."""
    child: ast.AST = use
    code: list[ast.AST] = []
    for parent in context.module.ancestors(use):
        if isinstance(parent, ast.BoolOp):
            code += [value for value in parent.values if value is not child]
        elif isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert) and child is parent.test:
            if isinstance(parent, ast.IfExp):
                return [*code, parent.body, parent.orelse]
            return code if isinstance(parent, ast.Assert) else [*code, *parent.body]
        elif not isinstance(parent, ast.UnaryOp):
            return None
        child = parent
    return None


def _places(context: Context, node: ast.AST) -> bool:
    """What moves to the accelerator, or names it: the answer must agree with it."""
    if isinstance(node, ast.Call):
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "cuda"
        return is_method or cuda.is_cuda_device(context, node) or context.flow.sink(node) is not None
    return isinstance(node, ast.Constant | ast.JoinedStr) and cuda.is_cuda_string(node)


def in_decorator(context: Context, node: ast.AST) -> bool:
    """Whether a value decides if a test or a function is used: in a decorator, or ``unittest.skipIf(…)`` by itself."""
    child = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return child in parent.decorator_list
        if isinstance(parent, ast.Call) and (context.resolve(parent.func) or "") in _SKIPS:
            return True
        child = parent
    return False


def _belongs_to(context: Context, question: ast.Call) -> ast.Call | None:
    """A question of the same function that stays, and whose code uses what this one only prepares."""
    changed = _prepared(context, question)
    if not changed:
        return None
    function = context.module.function(question)
    for call in context.module.calls:
        if call is question or context.module.function(call) is not function:
            continue
        if not cuda.is_available_call(context, call) or _on_its_own(context, call) is None:
            continue
        statement = context.module.statement(call)
        if changed & {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}:
            return call
    return None


def _prepared(context: Context, question: ast.Call) -> set[str]:
    """The names whose lists, dicts and texts the code under ``if torch.cuda.is_available():`` makes, if no more."""
    statement = context.module.parents[question]
    if not isinstance(statement, ast.If) or statement.test is not question:
        return set()
    if statement.orelse:
        return _texts(statement.body) & _texts(statement.orelse)
    names: set[str] = set()
    for inner in statement.body:
        func = inner.value.func if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call) else None
        if not isinstance(func, ast.Attribute) or func.attr not in ("append", "extend", "update", "add"):
            return set()
        if not isinstance(func.value, ast.Name):
            return set()
        names.add(func.value.id)
    return names


def _texts(block: list[ast.stmt]) -> set[str]:
    """The names that a block, which does no more, gives texts: ``form = " ".join([…, "{memory}"])``."""
    names: set[str] = set()
    for statement in block:
        if not isinstance(statement, ast.Assign) or not all(isinstance(t, ast.Name) for t in statement.targets):
            return set()
        value = statement.value
        joined = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "join"
        if not joined and not isinstance(value, ast.JoinedStr):
            return set()
        names |= {t.id for t in statement.targets if isinstance(t, ast.Name)}
    return names


def _on_its_own(context: Context, call: ast.expr, negated: bool | None = None) -> Text | None:
    question = one_line(context, call)
    node: ast.expr = call
    code: list[ast.AST] = []
    chosen: list[ast.AST] = []
    asserted: str | None = None
    if in_decorator(context, call):
        return say("XP104.decorator", question=question)
    if negated is None:
        negated = isinstance(call, ast.Compare) and isinstance(call.ops[0], ast.NotEq | ast.NotIn)
    for parent in context.module.ancestors(call):
        if isinstance(parent, ast.BoolOp):
            code += parent.values
        elif isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            negated = not negated
        elif isinstance(parent, ast.IfExp) and node is parent.test:
            code += [parent.body, parent.orelse]
            chosen.append(parent.orelse if negated else parent.body)
            if _chooses_half(context, call, parent):
                return say("XP104.half", question=question, line=context.line(parent))
            if (end := _end_of_a_name(context, parent)) is not None:
                return say("XP104.ending", question=question, end=end)
        elif isinstance(parent, ast.If | ast.While) and node is parent.test:
            own = _branch_of_xla(context, parent)
            if own is not None:
                return say("XP104.xla", question=question, line=context.line(own))
            chosen += parent.orelse if negated else parent.body
            code += chosen
            if negated and isinstance(parent, ast.If):
                if isinstance(parent.body[-1], ast.Raise):
                    asserted = _package(context, parent, parent.body)
                elif isinstance(parent.body[-1], _JUMPS):
                    code += _behind(context, parent)
        elif isinstance(parent, ast.Assert) and node is parent.test:
            asserted = _package(context, parent, [parent])
        if isinstance(parent, ast.stmt):
            break
        if isinstance(parent, ast.expr):
            node = parent
    missing = asserted or next((name for g in code if (name := needs_cuda(context, g)) is not None), None)
    if missing is not None:
        return say("XP104.needs", question=question, name=missing)
    group = staying_group(context, chosen)
    return say("XP104.wrapped", question=question, where=group) if group is not None else None


def _branch_of_xla(context: Context, statement: ast.stmt) -> ast.expr | None:
    """The question for an XLA device in another branch of the same ``if``: the program knows of both."""
    first = statement
    while isinstance(parent := context.module.parents[first], ast.If) and parent.orelse == [first]:
        first = parent
    branch: ast.stmt | None = first
    while isinstance(branch, ast.If):
        if branch is not statement and any(_names_xla(node) for node in ast.walk(branch.test)):
            return branch.test
        branch = branch.orelse[0] if len(branch.orelse) == 1 else None
    return None


def _names_xla(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in ("xla", "tpu", "TPU")
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return _XLA_NAME.search(name.lower()) is not None


def does_not_run(context: Context, node: ast.AST) -> bool:
    """Whether code is out of reach on a TPU: under ``if torch.cuda.is_available():``, or behind its ``return``."""
    child = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.If | ast.IfExp | ast.BoolOp | ast.While):
            asks = parent if isinstance(parent, ast.BoolOp) else parent.test
            if child is not asks and _asks(context, asks):
                return True
        if isinstance(child, ast.stmt) and any(_leaves_without(context, s) for s in _before(context, child)):
            return True
        child = parent
    return False


def asked_of_cuda(context: Context, node: ast.AST) -> ast.expr | None:
    """The question for a device called "cuda" under which code stands: ``if kind == "cuda": …``."""
    child = node
    for parent in context.module.ancestors(node):
        is_under = (isinstance(parent, ast.If) and child in parent.body) or (
            isinstance(parent, ast.IfExp) and child is parent.body
        )
        if is_under and isinstance(parent, ast.If | ast.IfExp):
            found = next((part for part in _all_of(parent.test) if _is_for_cuda(part)), None)
            if found is not None:
                return found
        child = parent
    return None


def _all_of(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]


def _is_for_cuda(test: ast.expr) -> bool:
    if isinstance(test, ast.Compare):
        return isinstance(test.ops[0], ast.Eq | ast.In) and _names_cuda(test)
    is_start = isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr == "startswith"
    return is_start and isinstance(test, ast.Call) and any(cuda.is_cuda_string(a) for a in test.args)


def _leaves_without(context: Context, statement: ast.stmt) -> bool:
    """``if not torch.cuda.is_available(): return``, alone or with more reasons to leave."""
    if not isinstance(statement, ast.If) or not isinstance(statement.body[-1], _JUMPS):
        return False
    test = statement.test
    reasons = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
    return any(isinstance(r, ast.UnaryOp) and isinstance(r.op, ast.Not) and _asks(context, r.operand) for r in reasons)


def _asks(context: Context, test: ast.expr) -> bool:
    """Whether a test is false on a TPU: it asks for CUDA, or compares with "cuda"."""
    return any(
        (isinstance(n, ast.Call) and cuda.is_available_call(context, n))
        or (isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.Eq | ast.In) and _names_cuda(n))
        for n in ast.walk(test)
    )


def _names_cuda(node: ast.Compare) -> bool:
    return any(cuda.is_cuda_string(side) for side in [node.left, *node.comparators])


def _before(context: Context, statement: ast.stmt) -> list[ast.stmt]:
    block = context.module.block(statement)
    return block[: block.index(statement)]


def _behind(context: Context, statement: ast.stmt) -> list[ast.stmt]:
    block = context.module.block(statement)
    return block[block.index(statement) + 1 :]


def _package(context: Context, statement: ast.stmt, complaint: Iterable[ast.AST]) -> str | None:
    """The CUDA package that an assertion protects: its message names it, or the code behind it uses it."""
    for part in complaint:
        for node in ast.walk(part):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words = [word[0] for word in _WORDS.finditer(node.value) if is_cuda_package(word[0].lower())]
                if words:
                    return words[0]
    names = (package_used(context, n) for s in _behind(context, statement) for n in ast.walk(s))
    return next((name for name in names if name is not None), None)


def _end_of_a_name(context: Context, choice: ast.IfExp) -> str | None:
    """``"-cpu"`` of ``f"onnx{'' if … else '-cpu'}"``: what is installed, and is no device."""
    parent = context.module.parents[choice]
    if not isinstance(parent, ast.FormattedValue) and not (
        isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add | ast.Mod)
    ):
        return None
    sides = list(_sides(choice))
    texts = [side for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)]
    ends = [side for side in texts if _END_OF_A_NAME.fullmatch(str(side.value))]
    return context.module.segment(ends[0]) if len(texts) == len(sides) and ends else None


def _sides(choice: ast.expr) -> Iterator[ast.expr]:
    """The values of which a conditional expression, or a chain of them, gives one."""
    if isinstance(choice, ast.IfExp):
        yield from _sides(choice.body)
        yield from _sides(choice.orelse)
    else:
        yield choice


def _chooses_half(context: Context, call: ast.expr, choice: ast.IfExp) -> bool:
    if not isinstance(call, ast.Call) or context.resolve(call.func) == "torch.cuda.is_bf16_supported":
        return False
    return context.resolve(choice.body) in HALF or context.resolve(choice.orelse) in HALF
