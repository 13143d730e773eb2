"""Whether a loop that generates can do so with a context of a fixed size, and what of it would have to change."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.analysis.value import UNKNOWN
from xlaport.context import Context
from xlaport.facts import vocabulary
from xlaport.facts.held import Kind
from xlaport.facts.literals import integer
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.structure import CallSite, Class, Function

from ..._lib.counting import bound_in
from ..._lib.shapes.causal import is_causal
from ..._lib.shapes.growth import Growth
from ..._lib.shapes.last_place import carried, last_reads
from ..._lib.shapes.source_places import LastRead, MadeOfEnds
from .buffer import axis_of, is_one, joined_by
from .context_uses import ContextUses, Uses

_JOINING = ("cat", "concat", "concatenate")
_PURE = (ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop, ast.expr_context)
_MATRIX = 2
_AXIS = 1


@dataclass(frozen=True)
class FixedContext:
    """A loop whose context can have a fixed size, if the model is causal."""

    loop: ast.For | ast.While
    joined: ast.Assign
    """``idx = torch.cat((idx, idx_next), dim=1)``."""
    name: str
    added: ast.expr
    passes: str
    """How many tokens are joined; of a ``while``, before the loop."""
    uses: Uses
    opened: tuple[ast.Subscript, ...]
    """Where the forward of the model takes the last place itself."""
    are_rows: bool
    """Whether a place may be more than one number."""

    @property
    def size(self) -> ast.expr | None:
        """How many places the model gets at most."""
        return self.uses.cuts[0][1] if self.uses.cuts else None


def fixed_context(context: Context, growth: Growth) -> FixedContext | None:
    """What to change; None where the passes are no number, or something else is done with what grows."""
    loop, grown, added = growth.loop, growth.grown, growth.added
    if not isinstance(loop, ast.For | ast.While) or grown is None or added is None or loop.orelse:
        return None
    joined = context.module.statement(growth.call)
    is_plain = isinstance(joined, ast.Assign) and joined.value is growth.call and len(joined.targets) == 1
    if not is_plain or not _is_in_each_pass(context, joined, loop) or not _joins_one_place(context, growth, added):
        return None
    assert isinstance(joined, ast.Assign)
    if bound_in(loop, grown.id) != joined.targets:
        return None
    known = ContextUses(context, grown, loop, joined)
    passes = _passes(context, loop) if isinstance(loop, ast.For) else _passes_until(context, loop, known)
    uses = known.found() if passes is not None else None
    if (
        uses is None
        or passes is None
        or not _are_alike(loop, uses)
        or not all(_is_steady(context, known, call) for call in uses.models)
    ):
        return None
    opened = _opened(context, known, uses)
    if opened is None or not (uses.reads or opened) or not all(is_causal(context, call.func) for call in uses.models):
        return None
    value = context.flow.structure.value(context.view.own, added) or UNKNOWN
    are_rows = value.holds.kind is not Kind.INT and value.holds.rank != _MATRIX
    return FixedContext(loop, joined, grown.id, added, passes, uses, opened, are_rows)


def _is_in_each_pass(context: Context, statement: ast.stmt, loop: LoopNode) -> bool:
    """Whether a statement stands in a loop itself, or under ``with torch.no_grad():``."""
    around: ast.AST = context.module.parents[statement]
    while isinstance(around, ast.With):
        around = context.module.parents[around]
    return around is loop


def _joins_one_place(context: Context, growth: Growth, added: ast.expr) -> bool:
    """``torch.cat((idx, idx_next), dim=1)`` of one token for each row."""
    first = growth.call.args[0] if growth.call.args else None
    if joined_by(context, growth) not in _JOINING or not isinstance(first, ast.Tuple | ast.List):
        return False
    value = context.flow.structure.value(context.view.own, added) or UNKNOWN
    axis = integer(axis_of(context, growth.call))
    axes = (_AXIS, -1) if value.holds.kind is Kind.INT or value.holds.rank == _MATRIX else (_AXIS,)
    is_single = any(is_one(context, added, other, 0) for other in axes)
    return first.elts == [growth.grown, added] and axis in axes and is_single


def _passes(context: Context, loop: ast.For) -> str | None:
    """How many passes a loop has, as a number that is known before it: ``n`` of ``range(n)``, under ``tqdm``, too."""
    counted = loop.iter
    while isinstance(counted, ast.Call) and context.resolve(counted.func) in vocabulary.PASSING_WRAPPERS:
        counted = counted.args[0] if counted.args else counted.func
    if not isinstance(counted, ast.Call) or context.resolve(counted.func) not in vocabulary.COUNTERS:
        return None
    given = counted.args
    if not given or not all(map(_is_pure, given)):
        return None
    text = ", ".join(map(context.module.segment, given))
    return text if len(given) == 1 else f"len(range({text}))"


def _passes_until(context: Context, loop: ast.While, known: ContextUses) -> str | None:
    """How many passes ``while idx.size(1) < n:`` has: as many as are missing."""
    found = known.length_wanted(loop)
    if found is None or not _is_pure(found[0]):
        return None
    more = " + 1" if found[1] else ""
    return f"max({context.module.segment(found[0])} - {known.grown.id}.size(1){more}, 0)"


def _is_pure(node: ast.expr) -> bool:
    return all(isinstance(part, _PURE) for part in ast.walk(node))


def _are_alike(loop: LoopNode, uses: Uses) -> bool:
    """Whether models get all of the context, or one window of it, as large in each pass."""
    if not uses.cuts:
        return bool(uses.wholes)
    sizes = [size for _, size in uses.cuts]
    names = {part.id for part in ast.walk(sizes[0]) if isinstance(part, ast.Name)}
    is_same = len({ast.dump(size) for size in sizes}) == 1 and _is_pure(sizes[0])
    return not uses.wholes and is_same and not any(bound_in(loop, name) for name in names)


def _is_steady(context: Context, known: ContextUses, call: ast.Call) -> bool:
    """Whether a model gets nothing else that another pass has made: a cache, a mask that grows, a position."""
    given = [node for part in (*call.args, *call.keywords) for node in ast.walk(part) if isinstance(node, ast.Name)]
    others = [name for name in given if not known.is_source(name) and not known.made.comes(name, 0)]
    are_fixed = all(
        not context.step_code.is_inside(binding.node, known.loop)
        for name in others
        for binding in context.names.reaching(name)
    )
    return are_fixed and carried(context, known.loop, known.is_source) is None


# -- what the forward of the model takes ---------------------------------------------------------------


def _opened(context: Context, known: ContextUses, uses: Uses) -> tuple[ast.Subscript, ...] | None:
    """Where the model takes the last place itself, if it can give all instead; None where it cannot."""
    reads = last_reads(context, known.loop.body, known.is_source, _AXIS, MadeOfEnds)
    found = [r for r in reads if r.node not in uses.reads and r.node not in uses.own_reads]
    return tuple(read.node for read in found) if all(_can_open(context, read, uses) for read in found) else None


def _can_open(context: Context, read: LastRead, uses: Uses) -> bool:
    """``self.head(x[:, [-1]])`` in a forward of this file, where each caller that gets it asks for the last place."""
    function = read.facts.module.function(read.node)
    owner = read.facts.module.parents[function] if function is not None else None
    if read.facts is not context.view.own or not (read.keeps and read.plain) or not isinstance(owner, ast.ClassDef):
        return False
    assert isinstance(function, FunctionNode)
    structure, method = context.flow.structure, Function(read.facts, function)
    wanted = _asked_for(read, function)

    def gets_all(site: CallSite) -> bool:
        return wanted is not None and structure.argument_for(site, method, wanted) is not None

    sites = structure.calls_of_objects(Class(read.facts, owner))
    return function.name == "forward" and all(gets_all(site) or site.node in uses.models for site in sites)


def _asked_for(read: LastRead, function: FunctionNode) -> str | None:
    """``targets``, where the last place is taken only if it is None."""
    child: ast.AST = read.node
    for parent in read.facts.module.ancestors(read.node):
        if parent is function:
            break
        if isinstance(parent, ast.If) and child is not parent.test:
            name, is_given = _given(parent.test)
            if name is not None and (child in parent.orelse) is is_given:
                return name
        child = parent
    return None


def _given(test: ast.expr) -> tuple[str | None, bool]:
    """The name of which a branch asks whether it is None, and whether it is for one that is not."""
    if (
        isinstance(test, ast.Compare)
        and isinstance(test.left, ast.Name)
        and isinstance(test.ops[0], ast.Is | ast.IsNot)
    ):
        other = test.comparators[0]
        is_none = isinstance(other, ast.Constant) and other.value is None
        return test.left.id if is_none else None, isinstance(test.ops[0], ast.IsNot)
    return None, False
