"""Taking out a statement that has lost its meaning, and with it an ``if`` that guarded nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from xlaport.context import Context
from xlaport.facts.module import is_elif
from xlaport.facts.names import How
from xlaport.facts.roles import dotted
from xlaport.rule import Edit, RemoveStatement, Replace, Span

from .blocks import comment_above, end_of_block
from .parentheses import OPERANDS

_HARMLESS = frozenset(
    f"builtins.{name}" for name in "str int float bool len isinstance hasattr getattr repr format max min".split()
)

_MAKES = frozenset(["builtins.tuple", "builtins.list", "builtins.map"])
"""What makes something of what it is handed, and uses that up."""

_NEGATED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"
}  # fmt: skip

_ASKS = frozenset(["startswith", "endswith", "get", "lower", "upper", "strip", "split"])
"""Methods that only ask."""

_ASKING_CUDA = (
    "torch.cuda.is_", "torch.cuda.device_count", "torch.cuda.current_stream", "torch.cuda.default_stream"
)  # fmt: skip

_KEYWORD = re.compile(r"(el)?if\b")
_WORD = re.compile(r"[a-z0-9]{3,}")
_ABBREVIATION = re.compile(r"\b[A-Z]{2}\b")
_CUDA_WORDS = frozenset(["cuda", "cudnn", "gpu", "gpus", "tf32", "nccl", "nvidia"])
_DIRECTIVES = frozenset(["todo", "fixme", "noqa", "type", "pragma", "pylint", "region", "endregion"])
"""What speaks to tools and to people about more than the next line."""


def removal(context: Context, statement: ast.stmt) -> RemoveStatement | Replace:
    """The edit that removes a statement, or the ``if`` or ``else`` around it that would be left empty.

    A comment above that speaks of nothing else goes with it.
    """
    while True:
        parent = context.module.parents[statement]
        rest = _excluded(context, parent) if isinstance(parent, ast.If) and parent.body == [statement] else None
        if rest is not None:
            return Replace(Span(context.span(parent).start, context.span(rest).start + len("el")), "")
        if isinstance(parent, ast.If) and parent.orelse == [statement] and not is_elif(context.module, statement):
            outer = context.span(parent)
            body_end = end_of_block(context.module, parent.body, outer)
            return Replace(Span(body_end, end_of_block(context.module, parent.orelse, outer)), "")
        if isinstance(parent, ast.If) and parent.body == [statement] and parent.orelse:
            return _turned_round(context, parent) or RemoveStatement(context.span(statement))
        if not (
            isinstance(parent, ast.If)
            and parent.body == [statement]
            and is_effect_free(context, parent.test)
            and not is_elif(context.module, parent)
        ):
            return RemoveStatement(context.span(statement), with_comment=_has_own_comment(context, statement))
        statement = parent


def _turned_round(context: Context, statement: ast.If) -> Replace | None:
    """The head of an ``if`` of which the ``else`` is left alone, which asks for the contrary then."""
    module, test = context.module, context.span(statement.test)
    inner = context.span(statement.orelse[0]).start
    if isinstance(statement.orelse[0], ast.If) and is_elif(module, statement.orelse[0]):
        return None
    end = end_of_block(module, statement.body, context.span(statement))
    keyword = re.fullmatch(r"\s*\n[ \t]*else[ \t]*:((?:[ \t]*#.*|\s*\n)*\s*)", module.text[end:inner])
    head = _KEYWORD.match(module.text, context.span(statement).start)
    if keyword is None or head is None or "\n" in module.text[test.start : test.end]:
        return None
    return Replace(Span(head.end(), end + keyword.start(1)), f" {_negated(context, statement.test)}:")


def _negated(context: Context, test: ast.expr) -> str:
    """``not use_cuda``, ``seed != 0``"""
    text = context.module.segment
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return text(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and (other := _NEGATED.get(type(test.ops[0]))) is not None:
        if isinstance(test.left, OPERANDS) and isinstance(test.comparators[0], OPERANDS):
            return f"{text(test.left)} {other} {text(test.comparators[0])}"
    return f"not {text(test)}" if isinstance(test, OPERANDS) else f"not ({text(test)})"


def idle_behind(context: Context, statement: ast.stmt) -> list[Edit]:
    """The edits that remove what a function computed for a statement alone that goes: ``count = device_count()``."""
    block, edits = context.module.block(statement), list[Edit]()
    for name in (node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
        home, found = context.names.home(name), context.names.bindings(name)
        made = context.module.statement(found[0].node) if len(found) == 1 and found[0].how is How.ASSIGN else None
        if home is None or home is context.names.root or not isinstance(made, ast.Assign) or made not in block:
            continue
        is_alone = len(made.targets) == 1 and isinstance(made.targets[0], ast.Name) and context.editable(made)
        uses = context.names.uses(home, name.id)
        if is_alone and is_effect_free(context, made.value) and set(uses) <= set(ast.walk(statement)):
            edit = RemoveStatement(context.span(made))
            edits += [edit] if edit not in edits else []
    return edits if len(edits) + 1 < len(block) else []


def _excluded(context: Context, statement: ast.If) -> ast.If | None:
    """The ``elif`` of ``if a: … elif b: …`` that is never true where the first one is; None where it may be.

    Both ask how the same text begins, or whether it is a certain one, and nothing stands in an ``else``.
    """
    other = statement.orelse[0] if statement.orelse else None
    if not isinstance(other, ast.If) or other.orelse or not is_elif(context.module, other):
        return None
    gone = context.module.text[context.span(statement).start : context.span(other).start]
    if is_elif(context.module, statement) or "#" in gone:
        return None
    first, second = _beginning(statement.test), _beginning(other.test)
    if first is None or second is None or first[0] != second[0]:
        return None
    is_apart = not first[1].startswith(second[1]) and not second[1].startswith(first[1])
    return other if is_apart else None


def _beginning(test: ast.expr) -> tuple[str, str] | None:
    """What is asked, and how it begins then: ``name.startswith("cuda")``, ``name == "cuda"``."""
    text: ast.expr | None = None
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr == "startswith":
        asked, text = test.func.value, test.args[0] if len(test.args) == 1 and not test.keywords else None
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        asked, text = test.left, test.comparators[0]
    else:
        return None
    path = dotted(asked)
    if path is None or not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return None
    return path, text.value


def with_comments(context: Context, edits: Sequence[Edit]) -> list[Edit]:
    """Edits that remove statements, of which some follow each other: a comment above that speaks of them goes, too."""
    gone = {edit.statement for edit in edits if isinstance(edit, RemoveStatement)}
    nodes = (node for node in context.module.nodes if isinstance(node, ast.stmt)) if gone else ()
    statements = {span: node for node in nodes if (span := context.span(node)) in gone}
    return [
        replace(edit, with_comment=_has_own_comment(context, statements[edit.statement], gone))
        if isinstance(edit, RemoveStatement) and not edit.with_comment and edit.statement in statements
        else edit
        for edit in edits
    ]


def _has_own_comment(context: Context, statement: ast.stmt, gone: Collection[Span] = ()) -> bool:
    """Whether a comment directly above is about this statement: nothing else follows, and it names it, or begins so.

    A comment that begins with "this" speaks of the line below. `gone` are the statements that go as well.
    """
    module, start = context.module, context.span(statement).start
    comment = comment_above(module, start)
    if not comment:
        return False
    block, end = module.block(statement), context.span(statement).end
    for following in block[block.index(statement) + 1 :]:
        if following.lineno > module.position(end)[0] + 1:
            break
        if context.span(following) not in gone:
            return False
        end = context.span(following).end
    words, text = _words(comment), module.text[start:end]
    is_about_it = bool(words & (_words(text) | _CUDA_WORDS)) or comment.lstrip("# \t").lower().startswith("this ")
    return is_about_it and not words & _DIRECTIVES


def _words(text: str) -> set[str]:
    return {*_WORD.findall(text.lower()), *_ABBREVIATION.findall(text)}


def is_effect_free(context: Context, *nodes: ast.AST) -> bool:
    """Whether nothing would be missed if some expressions were not evaluated."""
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, ast.Await | ast.NamedExpr | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(part, ast.Call) and not _only_returns(context, part):
            called = context.resolve(part.func) or ""
            if isinstance(part.func, ast.Attribute) and part.func.attr in _ASKS:
                continue
            if called in _HARMLESS or called in context.target.devices or _makes_anew(context, part, called):
                continue
            if not called.startswith(_ASKING_CUDA):
                return False
    return True


def _makes_anew(context: Context, call: ast.Call, called: str) -> bool:
    """``tuple(map(int, version.split(".")))``, which uses up nothing that somebody else has."""
    if called not in _MAKES or call.keywords or not call.args:
        return False
    *functions, last = call.args
    is_known = all(context.resolve(function) in _HARMLESS for function in functions)
    return is_known and isinstance(last, ast.Call | ast.Subscript | ast.List | ast.Tuple | ast.ListComp)


def _only_returns(context: Context, call: ast.Call) -> bool:
    """Whether a function of this file does nothing but to give something that is there: ``return self._steps``."""
    function = context.roles.function_called(call)
    if function is None or function.decorator_list or isinstance(function, ast.AsyncFunctionDef):
        return False
    body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Return):
        return False
    calls = (ast.Call, ast.Await, ast.NamedExpr, ast.Yield, ast.YieldFrom)
    return not any(isinstance(node, calls) for node in ast.walk(body[0]))
