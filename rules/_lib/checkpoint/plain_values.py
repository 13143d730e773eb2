"""What expressions give that need no look into the program: numbers, options, and what torch.load() refuses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.value import DEEPEST, NUMBER, OBJECT, TENSOR, TEXT, Certainty, Device, Value
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function, Structure

_OBJECTS = frozenset(
    """
    argparse.Namespace types.SimpleNamespace pathlib.Path pathlib.PurePath functools.partial collections.defaultdict
    collections.deque builtins.frozenset builtins.range builtins.slice datetime.datetime.now datetime.datetime.utcnow
    datetime.datetime.today datetime.datetime datetime.date.today datetime.date datetime.timedelta
    """.split()
)
_OF_NUMPY = frozenset(
    f"numpy.{name}"
    for name in (
        "array asarray zeros ones full empty arange linspace concatenate stack vstack hstack mean std var sum median "
        "nanmean nansum nanstd nanmedian max min amax amin nanmax nanmin argmax argmin prod dot percentile quantile "
        "average diag sqrt exp log abs round cumsum sort unique where float16 float32 float64 int32 int64 load "
        "random.get_state random.permutation"
    ).split()
)
"""What gives arrays of NumPy, or its scalars: both are refused."""


def is_refused(name: str) -> bool:
    """Whether what a function gives is an object that torch.load() refuses without ``weights_only=False``."""
    return name in _OBJECTS or name in _OF_NUMPY


def at(node: ast.expr, index: int) -> ast.expr | None:
    """The part of a display of parts at a place."""
    if not isinstance(node, ast.Tuple | ast.List) or any(isinstance(e, ast.Starred) for e in node.elts):
        return None
    return node.elts[index] if index < len(node.elts) else None


def is_number(node: ast.expr) -> bool:
    """Arithmetic that only numbers, arrays and tensors know: ``epoch + 1``, ``loss / steps``."""
    if not isinstance(node, ast.BinOp):
        return False
    if isinstance(node.op, ast.Sub | ast.Div | ast.FloorDiv | ast.Pow):
        return True
    sides = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
    return isinstance(node.op, ast.Add) and any(isinstance(value, int | float) for value in sides)


def is_parsed(value: ast.expr | None) -> bool:
    """``parser.parse_args()``."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in ("parse_args", "parse_known_args")
    )


def is_key(index: ast.expr) -> bool:
    """Whether an index is a text, as those of dicts are."""
    return isinstance(index, ast.JoinedStr) or (isinstance(index, ast.Constant) and isinstance(index.value, str))


def is_loaded(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is an item of a checkpoint: what has been saved before can be saved again."""
    while isinstance(node, ast.Subscript):
        node = node.value
        source = facts.names.assigned(node)
        if isinstance(source, ast.Call) and facts.names.resolve(source.func) == "torch.load":
            return True
        node = source if isinstance(source, ast.Subscript) else node
    return False


def on_device(value: Value | None, depth: int = 0) -> Iterator[Value]:
    """The tensors in a value, or in what it holds, that lie on the device."""
    if value is None or depth > DEEPEST:
        return
    if value.type == TENSOR and value.device is Device.ACCELERATOR and value.certainty is Certainty.PROVEN:
        yield value
    elif value.type != TENSOR:
        for part in value.elements if value.elements is not None else (value.element,):
            yield from on_device(part, depth + 1)


def has_no_state(value: Value | None) -> bool:
    """Whether what is asked for its state is a list, a dict or a number, which have none."""
    if value is None or value.alternatives:
        return False
    return value.type in (NUMBER, TEXT) or (value.type == OBJECT and value.elements is not None)


def is_setting(structure: Structure, facts: Facts, node: ast.expr) -> bool:
    """``args`` of ``args.arch``, where the command line gave it: numbers, strings and lists."""
    bindings = facts.names.reaching(node) if isinstance(node, ast.Name) else ()
    if bindings and all(b.how is How.PARAMETER for b in bindings):
        function = facts.module.function_of(bindings[0].node)
        called = Function(facts, function) if function is not None else None
        sites = structure.calls_to(called) if called is not None else []
        name = bindings[0].name
        given = [(s.facts, structure.argument_for(s, called, name)) for s in sites if called is not None]
        return bool(given) and all(
            v is not None and isinstance(v, ast.Name) and v is not node and is_setting(structure, there, v)
            for there, v in given
        )
    return bool(bindings) and all(is_parsed(b.value) for b in bindings)
