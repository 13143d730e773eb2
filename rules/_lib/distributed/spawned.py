"""Where the processes of a job are started by ``mp.spawn``: a launch, and who asks for their number."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.roles import dotted
from xlaport.rule import InsertStatement, RemoveStatement, Replace, Span
from xlaport.wording import Text

from .. import process_start
from ..arguments import given
from ..device import counting
from . import gates, kept_counts, names
from .group import tells
from .part import Part
from .saying import say

_PARAMETERS = ("fn", "args", "nprocs", "join", "daemon", "start_method")


def launch(part: Part, call: ast.Call) -> None:
    """``mp.spawn(fn, args=(world_size, …), nprocs=world_size)`` becomes a launch, and the count is asked for in fn."""
    context = part.context
    passed = given(call, _PARAMETERS) or {}
    problem = _why_not(context, call, passed)
    if problem is not None:
        part.obstacles.append((call, problem))
        return
    display, nprocs = passed.get("args"), passed["nprocs"]
    values = display.elts if isinstance(display, ast.Tuple) else []
    targets = _functions(context, passed["fn"])
    assert targets
    counts = [index for index, value in enumerate(values) if _is_handed(context, value, nprocs)]
    goes = _goes(context, call, passed, targets, nprocs, counts)
    needed = _need_count(context, call, targets) if not goes else None
    if needed is not None:
        part.obstacles.append((needed, say("XP603.count", count=context.module.segment(needed))))
        return
    kept = [context.module.segment(v) for index, v in enumerate(values) if not goes or index not in counts]
    launch = part.asks("launch", call)
    arguments = f", args=({', '.join(kept)}{',' if len(kept) == 1 else ''})" if kept else ""
    part.edits.append(
        Replace(context.span(call), f"{launch}({context.module.segment(passed['fn'])}{arguments}{part.way.arguments})")
    )
    for target in targets:
        for index in counts:
            _ask_in(part, target, index + 1, goes)
    if goes and isinstance(nprocs, ast.Name):
        statement = context.module.statement(context.names.reaching(nprocs)[0].node)
        part.edits.append(RemoveStatement(context.span(statement)))
    elif not goes:
        for assign, value in _counted(context):
            part.edits.append(Replace(context.span(value), "1"))
            user = kept_counts.ask_for(part, call, assign.targets[0], targets, values)
            if user is not None:
                count = context.module.segment(assign.targets[0])
                part.obstacles.append((user, say("XP603.count", count=count)))


def _ask_in(part: Part, target: ast.FunctionDef, index: int, goes: bool) -> None:
    """Ask for the count in the function that is started; its parameter goes, or is written over."""
    context = part.context
    parameters = [*target.args.posonlyargs, *target.args.args]
    parameter = parameters[index]
    if goes:
        end = context.span(parameters[index - 1]).end
        part.edits.append(Replace(Span(end, context.span(parameter).end), ""))
    joins = {n for s in target.body for c in ast.walk(s) if _joins(context, c) for n in ast.walk(c)}
    used = (n for s in target.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == parameter.arg)
    if goes and all(n in joins for n in used):
        return  # (the group finds it by itself)
    first = kept_counts.first_of(target)
    size = part.asks("world_size" if goes or kept_counts.is_of_all(parameter.arg) else "local_device_count", first)
    part.edits.append(InsertStatement(context.span(first), f"{parameter.arg} = {size}()", before=True))


def _joins(context: Context, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and context.resolve(node.func) == names.START


def _goes(
    context: Context,
    call: ast.Call,
    passed: Mapping[str, ast.expr],
    targets: list[ast.FunctionDef],
    nprocs: ast.expr,
    counts: list[int],
) -> bool:
    """Whether nothing but the start has a use for the count, so that it and the parameter can go."""
    if len(targets) != 1 or len(context.names.uses(context.names.root, targets[0].name)) != 1:
        return False
    if not _is_count(context, nprocs) or targets[0].args.defaults:
        return False
    if not isinstance(nprocs, ast.Name):
        return True
    return _others(context, call, nprocs, passed) == []


def _others(context: Context, call: ast.Call, nprocs: ast.Name, passed: Mapping[str, ast.expr]) -> list[ast.Name]:
    """The uses of a count beside the start itself."""
    display = passed.get("args")
    direct: set[ast.AST] = {nprocs, *(display.elts if isinstance(display, ast.Tuple) else [])}
    direct |= {n for gate in gates.gates(context) for n in ast.walk(gate)}
    home = context.names.home(nprocs)
    return [use for use in context.names.uses(home, nprocs.id) if use not in direct] if home is not None else []


def _why_not(context: Context, call: ast.Call, passed: Mapping[str, ast.expr]) -> Text | None:
    """What keeps a start of processes from becoming a launch."""
    join, method, nprocs, args = (passed.get(name) for name in ("join", "start_method", "nprocs", "args"))
    targets = _functions(context, passed["fn"]) if "fn" in passed else []
    values = args.elts if isinstance(args, ast.Tuple) else []
    is_plain = (
        isinstance(context.module.parents[call], ast.Expr)
        and (join is None or (isinstance(join, ast.Constant) and join.value is True))
        and (method is None or (isinstance(method, ast.Constant) and method.value == "spawn"))
        and (args is None or isinstance(args, ast.Tuple))
        and bool(targets)
        and all(_takes(target, len(values) + 1) for target in targets)
    )
    if nprocs is None or not is_plain:
        return say("XP603.spawn")
    return (
        None
        if _is_left_to_launch(context, call, passed, nprocs)
        else say("XP603.nprocs", number=context.module.segment(nprocs))
    )


def _takes(function: ast.FunctionDef, count: int) -> bool:
    """Whether a function can be called with so many arguments, without names."""
    parameters = [*function.args.posonlyargs, *function.args.args]
    required = len(parameters) - len(function.args.defaults)
    plain = not (function.args.vararg or function.args.kwonlyargs or function.args.kwarg)
    return plain and not function.decorator_list and required <= count <= len(parameters)


def _is_left_to_launch(context: Context, call: ast.Call, passed: Mapping[str, ast.expr], nprocs: ast.expr) -> bool:
    """Whether a number of processes can be left to the launch."""
    path = dotted(nprocs)
    if isinstance(nprocs, ast.Name) and _is_parameter(context, nprocs):
        return True  # (what is handed on to the processes is asked for there)
    if gates.rests_on_count(context, nprocs) and path is not None:
        return True
    if counting.is_count(context, nprocs):
        return True
    if isinstance(nprocs, ast.Constant):
        return nprocs.value == 1
    if isinstance(nprocs, ast.Name) and not _others(context, call, nprocs, passed):
        return True
    return isinstance(nprocs, ast.Attribute) and _only_counts(context, call, path)


def _only_counts(context: Context, call: ast.Call, path: str | None) -> bool:
    """Whether an attribute, such as ``args.gpus``, has no other use than to compute ranks and the number of all."""
    inside = set(ast.walk(call))
    for node in context.module.nodes:
        if not isinstance(node, ast.Attribute) or node in inside or not isinstance(node.ctx, ast.Load):
            continue
        if dotted(node) != path:
            continue
        statement = context.module.statement(node)
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if not any(counting.names_processes(dotted(t) or "") or counting.is_rank(context, t) for t in targets):
            value = statement.value if isinstance(statement, ast.Expr) else None
            if not isinstance(value, ast.Call) or context.resolve(value.func) != names.START:
                return False
    return True


def _is_parameter(context: Context, name: ast.Name) -> bool:
    return all(b.how is How.PARAMETER for b in context.names.bindings(name))


def _is_handed(context: Context, value: ast.expr, nprocs: ast.expr) -> bool:
    """Whether a value that the processes get is their number."""
    if isinstance(value, ast.Constant):
        return False
    return counting.is_count(context, value) or ast.dump(value) == ast.dump(nprocs)


def _counted(context: Context) -> Iterator[tuple[ast.Assign, ast.expr]]:
    """The counts of GPUs that the process keeps which starts the others: only they can ask for the number."""
    for call in context.module.calls:
        if not counting.is_count(context, call) or not process_start.runs_before(context, call):
            continue
        value: ast.expr = call
        while isinstance(parent := context.module.parents[value], ast.expr) and gates.is_as_good(
            context, parent, value
        ):
            value = parent
        if isinstance(parent, ast.Assign):
            yield parent, value


def _need_count(context: Context, call: ast.Call, targets: list[ast.FunctionDef]) -> ast.expr | None:
    """What the process that starts the others needs a count of GPUs for, other than to hand it to them."""
    for assign, _ in _counted(context):
        found = _stray(context, call, assign, targets, frozenset())
        if found is not None:
            return found
    return None


def _stray(
    context: Context, call: ast.Call, assign: ast.Assign, targets: list[ast.FunctionDef], seen: frozenset[ast.AST]
) -> ast.expr | None:
    """A use of what is assigned that has need of the number."""
    target = assign.targets[0]
    if not isinstance(target, ast.Name):
        return None  # (an attribute: `kept_counts`)
    gated = {n for gate in gates.gates(context) for n in ast.walk(gate)}
    for use in context.names.uses(context.names.scope(target), target.id):
        if use in gated or use in set(ast.walk(call)) or _is_handed_on(context, call, use, targets):
            continue
        statement = context.module.statement(use)
        if not isinstance(statement, ast.Assign) or not _counts_on(context, statement) or statement in seen:
            return use
        found = _stray(context, call, statement, targets, seen | {assign})
        if found is not None:
            return found
    return None


def _counts_on(context: Context, statement: ast.Assign) -> bool:
    """``args.world_size = ngpus * args.world_size``"""
    return all(counting.names_processes(dotted(t) or "") or counting.is_rank(context, t) for t in statement.targets)


def _is_handed_on(context: Context, call: ast.Call, use: ast.Name, targets: list[ast.FunctionDef]) -> bool:
    """Whether a count goes to the processes, or decides what is told of NCCL."""
    statement = context.module.statement(use)
    if isinstance(statement, ast.If):
        return not statement.orelse and all(tells(context, s) for s in statement.body)
    handed = context.module.parents[use]
    if not isinstance(handed, ast.Call) or not isinstance(handed.func, ast.Name):
        return False
    bound = [b.node for b in context.names.bindings(handed.func)]
    return len(bound) == 1 and bound[0] in (*targets, context.module.function(call))


def _is_count(context: Context, node: ast.expr) -> bool:
    """``torch.cuda.device_count()``, or a name that stands for it."""
    if counting.is_count(context, node):
        return True
    if not isinstance(node, ast.Name):
        return False
    found = context.names.bindings(node)
    return len(found) == 1 and found[0].how is How.ASSIGN and (
        found[0].value is not None and counting.is_count(context, found[0].value)
    )  # fmt: skip


def _functions(context: Context, node: ast.expr) -> list[ast.FunctionDef]:
    """The functions at the top of the file that may be started: one by its name, or those that calls hand on."""
    found = context.names.bindings(node) if isinstance(node, ast.Name) else ()
    if len(found) != 1:
        return []
    if isinstance(found[0].node, ast.FunctionDef):
        return [found[0].node] if found[0].node in context.module.tree.body else []
    function = context.module.function_of(found[0].node) if found[0].how is How.PARAMETER else None
    if function is None:
        return []
    passed = [context.roles.argument_for(call, function, found[0].name) for call in context.roles.calls_to(function)]
    targets: list[ast.FunctionDef] = []
    for value in passed:
        named = _functions(context, value) if isinstance(value, ast.Name) else []
        if not named:
            return []
        targets += [target for target in named if target not in targets]
    return targets
