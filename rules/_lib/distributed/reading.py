"""What stands in a file of a job of several processes, and what becomes of it."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import imported_modules, walk_block
from xlaport.facts.role import TENSORS
from xlaport.facts.structure import Function
from xlaport.rule import Import, InsertStatement, RemoveArgument, Replace, Span
from xlaport.target import Symbol

from ..shapes.helpers import is_helper
from . import environment, fsdp, group, names, waiting
from .part import Part
from .saying import say
from .ways import Way

_KEPT = frozenset({"find_unused_parameters", "broadcast_buffers", "bucket_cap_mb", "static_graph"})
_DEVICES = frozenset({"device_ids", "output_device"})
_ALL_REDUCE = Symbol(Import("torch.distributed", "dist"), "all_reduce")
_VIEW = "gradient_as_bucket_view"
_OPTIONS = re.compile(r"--(local[-_]?rank|rank|node[-_]?rank|world[-_]?size|dist[-_]url|dist[-_]backend|nnodes|nodes)")


def part_of(context: Context, way: Way) -> Part:
    """Read one file."""
    part = Part(context, way)
    for node in context.module.nodes:
        if (name := names.is_distributed(context, node)) is not None:
            assert isinstance(node, ast.expr)
            if not is_helper(context, node):
                _named(part, node, name)
        elif (found := names.variable(context, node)) is not None:
            assert isinstance(node, ast.expr)
            if not _goes(context, node):
                environment.variable(part, node, *found)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            _text(part, node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            _imported(part, node)
    return part


def _named(part: Part, node: ast.expr, name: str) -> None:
    context = part.context
    call = names.called(context, node)
    if fsdp.takes(part, node, name):
        return
    if name == names.DEFAULT_BACKEND and call is not None and isinstance(context.module.parents[call], ast.Assign):
        assignment = context.module.parents[call]
        assert isinstance(assignment, ast.Assign)
        if group.is_for_start(context, assignment):
            return
    if name in names.OPERATIONS or (call is None and name in names.WRAPPERS | names.SAMPLERS):
        return  # (an annotation, `isinstance`)
    if call is not None and not context.editable(call) and name not in names.ASKS:
        part.obstacles.append((node, say("XP603.f_string", name=name)))
    elif call is not None and name == names.START:
        group.join(part, call)
    elif call is not None and name == names.SPAWN:
        part.spawns.append(call)
    elif call is not None and name in names.WRAPPERS:
        _wrapper(part, call)
    elif call is not None and name in names.COLLECTIVES:
        _collective(part, call, name)
    elif call is not None and name == names.BARRIER:
        _barrier(part, call)
    elif call is not None and name in names.ASKS:
        if call.args or call.keywords:
            part.obstacles.append((call, say("XP603.group", call=names.shown(name))))
    elif call is not None and name in names.SETTINGS:
        _setting(part, call, name)
    elif name not in names.LOUD and (call is None or name not in names.SAMPLERS):
        part.obstacles.append((node, say("XP603.uses", name=name)))


def _goes(context: Context, node: ast.expr) -> bool:
    """Whether a rank is only asked for in ``device_ids=[…]``, which is taken out."""
    keyword = next((n for n in context.module.ancestors(node) if isinstance(n, ast.keyword)), None)
    call = context.module.parents[keyword] if keyword is not None and keyword.arg in _DEVICES else None
    return isinstance(call, ast.Call) and context.resolve(call.func) in {*names.WRAPPERS, names.BARRIER}


def _setting(part: Part, call: ast.Call, name: str) -> None:
    """``mp.set_start_method("spawn")``: in a process that a launch has started it is set, and raises without force."""
    if part.way.is_launch and name.endswith("start_method") and len(call.args) == 1 and not call.keywords:
        end = part.context.span(call.args[0]).end
        part.edits.append(Replace(Span(end, end), ", force=True"))


def _wrapper(part: Part, call: ast.Call) -> None:
    context = part.context
    given = {k.arg: k for k in call.keywords}
    if len(call.args) > 1 or set(given) - _KEPT - _DEVICES - {"module", _VIEW}:
        part.obstacles.append((call, say("XP603.wrapper_options")))
        return
    devices = given["device_ids"].value if "device_ids" in given else None
    if isinstance(devices, ast.List) and len(devices.elts) > 1:
        part.obstacles.append((call, say("XP603.several_gpus")))
        return
    gone = [given[name] for name in given if name in _DEVICES]
    viewed = given.get(_VIEW)
    if viewed is not None and isinstance(viewed.value, ast.Constant) and viewed.value.value is True:
        pass
    elif viewed is not None:
        part.edits.append(Replace(context.span(viewed), f"{_VIEW}=True"))
    elif gone:
        part.edits.append(Replace(context.span(gone.pop(0)), f"{_VIEW}=True"))
    elif call.args or call.keywords:
        last = max(context.span(a).end for a in [*call.args, *call.keywords])
        part.edits.append(Replace(Span(last, last), f", {_VIEW}=True"))
    part.edits += [RemoveArgument(context.span(call), context.span(keyword)) for keyword in gone]


def _collective(part: Part, call: ast.Call, name: str) -> None:
    context = part.context
    known = names.COLLECTIVES[name]
    given: dict[str | None, ast.expr] = dict(zip(known, call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords}
    operation = given.get("op")
    later = given.pop("async_op", None)
    if later is not None and not (isinstance(later, ast.Constant) and later.value is False):
        if not waiting.at_once(part, call, later):
            part.obstacles.append((call, say("XP603.waited_for", call=names.shown(name))))
            return
    elif not isinstance(context.module.parents[call], ast.Expr):
        part.obstacles.append((call, say("XP603.result", call=names.shown(name))))
        return
    if len(call.args) > len(known) or set(given) - {*known}:
        part.obstacles.append((call, say("XP603.group", call=names.shown(name))))
    elif operation is not None and context.resolve(operation) not in names.OPERATIONS:
        part.obstacles.append((call, say("XP603.operation")))
    else:
        if name == names.REDUCE_TO_ONE:
            _for_all(part, call, given)
        _cut(part, call)


def _for_all(part: Part, call: ast.Call, given: dict[str | None, ast.expr]) -> None:
    """``dist.reduce(x, dst=0, op=…)`` becomes ``dist.all_reduce(x, op=…)``: the others may not look at theirs."""
    context = part.context
    text, imports = context.spell(_ALL_REDUCE, call)
    part.imports += imports
    kept = [f"{name}={context.module.segment(given[name])}" for name in ("op",) if name in given]
    tensor = context.module.segment(given["tensor"])
    part.edits.append(Replace(context.span(call), f"{text}({', '.join([tensor, *kept])})"))


def _cut(part: Part, call: ast.Call) -> None:
    """Run a collective here: pending, it would run where a value is read, and the process that logs reads alone."""
    context = part.context
    if _in_forward(context, call, frozenset()):
        return  # (all processes run the model, and its graph with the step; a cut would make two of it: XP207)
    if any(loop.node in context.module.ancestors(call) for loop in context.loops.all()):
        # XP201 does not know it for work on the device, and may cut the graph before it.
        part.obstacles.append((call, say("XP603.in_step")))
        return
    statement = _around(context, context.module.statement(call))
    if _is_read_next(context, statement, call):
        return
    statement, is_cut = _noted(context, statement)
    if is_cut:
        return
    cut = InsertStatement(context.span(statement), f"{part.asks('sync', call)}()")
    part.edits += [cut] if cut not in part.edits else []


def _noted(context: Context, statement: ast.stmt) -> tuple[ast.stmt, bool]:
    """The last of the statements behind a collective that only note work, and whether what waits comes next."""
    waiting = {*names.COLLECTIVES, names.BARRIER, *context.target.barriers}
    block = context.module.block(statement)
    for following in block[block.index(statement) + 1 :]:
        if _is_call(context, following, waiting):
            return statement, True
        if not isinstance(following, ast.Assign | ast.AugAssign | ast.AnnAssign):
            break
        if context.reads.within([following]) or context.loops.calls_what_reads([following]):
            break
        statement = following
    return statement, False


def _is_read_next(context: Context, statement: ast.stmt, call: ast.Call) -> bool:
    """Whether each pass of a loop reads next what a collective gives, in all processes: the read runs it.

    A barrier before it would make a step of each pass, and two graphs of a check of a model's parameters.
    """
    block = context.module.block(statement)
    following = block[block.index(statement) + 1 :][:1]
    if not isinstance(context.module.parents[statement], ast.For | ast.While):
        return False
    if not following or not isinstance(following[0], ast.Assert | ast.Assign | ast.AugAssign | ast.Expr):
        return False
    given = {node.id for argument in (*call.args, *call.keywords) for node in _names(argument)}
    return any(
        given.intersection(name.id for name in _names(read.tensor)) and _is_evaluated(context, read.node, following[0])
        for read in context.reads.within(following)
    )


def _names(node: ast.AST) -> list[ast.Name]:
    return [part for part in ast.walk(node) if isinstance(part, ast.Name)]


def _is_evaluated(context: Context, node: ast.AST, statement: ast.stmt) -> bool:
    """Whether an expression is evaluated whenever its statement runs."""
    child = node
    for parent in context.module.ancestors(node):
        if parent is statement:
            # (of an assertion, the message is made where it fails)
            return not isinstance(statement, ast.Assert) or child is statement.test
        if isinstance(parent, ast.BoolOp) and child is not parent.values[0]:
            return False
        if isinstance(parent, ast.IfExp) and child is not parent.test:
            return False
        if isinstance(parent, ast.Compare) and child in parent.comparators[1:]:
            return False
        if isinstance(parent, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            return False
        child = parent
    return False


def _around(context: Context, statement: ast.stmt) -> ast.stmt:
    """The loop that a statement stands in, where nothing in it reads: all of its passes run as one graph behind it."""
    outermost = statement
    for parent in context.module.ancestors(statement):
        if isinstance(parent, ast.For) and _only_notes(context, parent):
            outermost = parent
        elif not isinstance(parent, ast.With | ast.For):
            break
    return outermost


def _only_notes(context: Context, loop: ast.For) -> bool:
    """Whether a loop does nothing but to note small work: no read, no model, no way out, nothing of the project."""
    if loop.orelse or context.reads.within(loop.body) or context.loops.calls_what_reads(loop.body):
        return False
    asked = [n for n in walk_block(loop.body) if isinstance(n, ast.Assert | ast.If | ast.While)]
    if any(context.roles.is_(n.test, *TENSORS) or isinstance(n, ast.Assert) for n in asked):
        return False  # (a comparison of tensors, which each pass waits for)
    effects = context.loops.effects(loop.body)
    if effects.steps is not None or effects.backward is not None or effects.model is not None:
        return False
    return not any(
        isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Await)
        or (isinstance(node, ast.Call) and context.loops.called(node) is not None)
        for node in walk_block(loop.body)
    )


def _in_forward(context: Context, node: ast.AST, seen: frozenset[ast.AST]) -> bool:
    """Whether code runs in the ``forward()`` of a module alone, or in the passes of an ``autograd.Function``."""
    for parent in context.module.ancestors(node):
        if not isinstance(parent, ast.FunctionDef):
            continue
        owner = context.module.parents[parent]
        if isinstance(owner, ast.ClassDef) and any(
            context.resolve(base) in torch_api.AUTOGRAD_FUNCTIONS for base in owner.bases
        ):
            return True
        if isinstance(owner, ast.ClassDef) and parent.name == "forward" and context.roles.is_module_class(owner):
            return True
        if parent in seen:
            return True
        sites = context.flow.structure.calls_to(Function(context.view.own, parent))
        inner = seen | {parent}
        return bool(sites) and all(_in_forward(context.of(site.facts), site.node, inner) for site in sites)
    return False


def _is_call(context: Context, statement: ast.stmt, called: set[str]) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Call) and context.resolve(value.func) in called


def _barrier(part: Part, call: ast.Call) -> None:
    context = part.context
    if call.args or any(k.arg != "device_ids" for k in call.keywords):
        part.obstacles.append((call, say("XP603.group", call=names.shown(names.BARRIER))))
    elif not isinstance(context.module.parents[call], ast.Expr):
        part.obstacles.append((call, say("XP603.result", call=names.shown(names.BARRIER))))
    else:
        part.edits.append(Replace(context.span(call), f'{part.asks("rendezvous", call)}("barrier")'))


def _imported(part: Part, node: ast.Import | ast.ImportFrom) -> None:
    for module in imported_modules(node):
        if module.partition(".")[0] in names.FRAMEWORKS and not getattr(node, "level", 0):
            if isinstance(node, ast.ImportFrom) and module.startswith(names.ALONE):
                continue
            part.obstacles.append((node, say("XP603.framework", module=module)))
        launcher = names.LAUNCHERS.get(module.partition(".")[0])
        if launcher is not None and not getattr(node, "level", 0) and not _is_optional(part.context, node):
            part.obstacles.append((node, say("XP603.mpi", module=module, launcher=launcher)))


def _is_optional(context: Context, node: ast.AST) -> bool:
    """Whether a program runs where an import fails."""
    return any(isinstance(parent, ast.Try) and parent.handlers for parent in context.module.ancestors(node))


def _text(part: Part, node: ast.Constant) -> None:
    if names.is_nccl(node):
        group.named(part, node)
    elif isinstance(node.value, str) and (option := _OPTIONS.fullmatch(node.value)) is not None:
        # What else a launcher is told is computed by the program itself, and asked for once the group is joined.
        if part.way.is_launch or (part.way.is_spawn and option[1].startswith("local")):
            part.obstacles.append((node, say("XP603.option", option=node.value)))
        elif part.way is Way.TORCHRUN and option[1].startswith("local"):
            environment.option(part, node)
