"""Marks in a text the expressions that a run is to tell of: each goes through a call of ours, which gives it back.

The marks keep every line in its place, so that what else is seen of the run is told by the user's own lines.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping

from xlaport.analysis import value as types
from xlaport.analysis.value import UNKNOWN, Certainty, Device, Site, Value
from xlaport.facts.held import Kind
from xlaport.facts.module import Module, indices
from xlaport.observed.matching import WATCHED
from xlaport.verify.marks import CLOSED, DEFINED, opened

_NOT_SEEN = frozenset("super locals globals vars eval exec __class__".split())
_READS_SOURCE = re.compile(r"torch\.compile|_dynamo|jit\.script|@torch\.jit|getsource|\btriton\b|\bnumba\b|\bjax\b")
_HOLDING = (types.MODULE, types.OPTIMIZER)


def is_watchable(texts: Mapping[str, str]) -> bool:
    """Whether nothing in a program reads the source of its functions, or traces their code: it would see the marks."""
    return not any(map(_READS_SOURCE.search, texts.values()))


def marked(module: Module, nodes: Mapping[ast.AST, int]) -> str:
    """The text with the marks of some expressions, by their numbers; as it is, where Python takes no such text."""
    start = _first_statement(module)
    spans = [(span, number) for node, number in nodes.items() if (span := module.span(node)).start >= start]
    if not spans:
        return module.text
    opening = [(span.start, 1, -span.end, opened(number)) for span, number in spans]
    closing = [(span.end, 0, -span.start, CLOSED) for span, _ in spans]
    parts, last = [module.text[:start], DEFINED], start
    for offset, _, _, text in sorted([*opening, *closing]):
        parts += [module.text[last:offset], text]
        last = offset
    whole = "".join([*parts, module.text[last:]])
    return whole if _is_python(whole) else module.text


def _first_statement(module: Module) -> int:
    """Where the first statement of a file stands that another one may stand before on its line."""
    for place, statement in enumerate(module.tree.body):
        is_doc = place == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (is_doc or is_future or hasattr(statement, "body") or isinstance(statement, ast.Match)):
            return module.span(statement).start
    return len(module.text)


def _is_python(text: str) -> bool:
    """Whether Python takes a text: a long chain of calls may have too many marks around it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<marked>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def unsure(file: str, module: Module, values: Mapping[ast.AST, Value]) -> Iterator[ast.expr]:
    """The expressions of a file of which the analysis does not know all that a run can tell, and what makes objects."""
    if module.old_keywords:  # no Python of today runs it
        return
    for node in module.of_type(*WATCHED):
        if isinstance(node, ast.expr) and _can_be_seen(module, node) and _is_asked(file, module, node, values):
            yield node


def _can_be_seen(module: Module, node: ast.expr) -> bool:
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or not module.is_placed(node):
        return False
    if (isinstance(node, ast.Name) and node.id in _NOT_SEEN) or module.fstring(node) is not None:
        return False
    if module.is_in_annotation(node):
        return False
    inner: ast.AST = node
    for around in module.ancestors(node):
        if isinstance(around, ast.pattern):
            return False
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and inner in around.decorator_list:
            return False
        if isinstance(around, ast.stmt):
            break
        inner = around
    return True


def _is_asked(file: str, module: Module, node: ast.expr, values: Mapping[ast.AST, Value]) -> bool:
    value = values.get(node)
    if value is None:
        return False
    parent = module.parents[node]
    if isinstance(parent, ast.Call) and parent.func is node and isinstance(node, ast.Attribute):
        return value.is_unknown and values.get(node.value, UNKNOWN).is_unknown
    if value.is_unknown:
        return not isinstance(parent, ast.Expr)
    if value.type == types.TENSOR:
        if _is_selection(node, values) or (isinstance(parent, ast.Subscript) and _is_selection(parent, values)):
            return True  # for its size
        return value.device is Device.UNKNOWN or value.holds.rank is None or value.certainty is Certainty.ASSUMED
    is_object = value.type in _HOLDING or isinstance(value.type, types.Definition)
    is_made = isinstance(node, ast.Call) and value.objects == {Site.of(file, node)}
    return is_object and (is_made or not value.objects)


def _is_selection(node: ast.expr, values: Mapping[ast.AST, Value]) -> bool:
    """``x[mask]``, where that may be a mask of truth values: its size is what a run tells."""
    if not isinstance(node, ast.Subscript):
        return False
    index = next(iter(indices(node)), None)
    mask = values.get(index, UNKNOWN) if index is not None else UNKNOWN
    return mask.is_unknown or (mask.type == types.TENSOR and mask.holds.kind in (Kind.BOOL, None))
