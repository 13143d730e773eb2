"""Where the processes of a job are started: under the main guard for torchrun, or by ``mp.spawn``."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.lineage import Function
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.rule import InsertStatement, RemoveStatement, Replace, Span

from ..device import counting
from ..main_guard import main_guard
from . import names
from .part import Part

_NAME = "_mp_fn"
_DEEP = 8
_EXITS = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "os._exit"})
_PARAMETERS = ("fn", "args", "nprocs", "join", "daemon", "start_method")


def launch_guard(part: Part) -> None:
    """Make a function of what stands under the main guard, and launch it."""
    context = part.context
    module = context.module
    guard = main_guard(context)
    if guard is None:
        where = part.starts[0] if part.starts else module.tree.body[0]
        part.obstacles.append((where, 'runs at the top of the file: put it under `if __name__ == "__main__":`'))
        return
    if guard.orelse or module.tree.body[-1] is not guard:
        part.obstacles.append((guard, "is not the end of the file"))
        return
    leaving = next((c for c in ast.walk(guard) if isinstance(c, ast.Call) and context.resolve(c.func) in _EXITS), None)
    if leaving is not None:
        part.obstacles.append((leaving, "ends the process itself"))
        return
    shared = _shared(context, guard)
    if shared is not None:
        place, name = shared
        part.obstacles.append((place, f"has to do with {name}, which is set under the main guard: hand it over"))
        return
    if not context.names.is_free(_NAME, guard):
        part.obstacles.append((guard, f"would become a function {_NAME}, and there is one"))
        return
    header = module.header(guard)
    colon = module.text.index(":", context.span(guard.test).end)
    launch = part.asks("launch", guard)
    # Hydra finds its configuration beside the main module, which a spawned process has under another name.
    method = ', start_method="fork"' if _is_hydra_s(context) else ""
    part.edits += [
        Replace(Span(header.start, colon + 1), f"def {_NAME}(index):"),
        InsertStatement(
            context.span(guard), f'\n\n{module.text[header.start : colon + 1]}\n    {launch}({_NAME}{method})'
        ),
    ]  # fmt: skip


def _is_hydra_s(context: Context) -> bool:
    """Whether a function of the file is run by ``@hydra.main(…)``."""
    return any(
        context.resolve(d.func if isinstance(d, ast.Call) else d) in ("hydra.main", "hydra.main.main")
        for node in context.module.nodes
        if isinstance(node, ast.FunctionDef)
        for d in node.decorator_list
    )


def _shared(context: Context, guard: ast.If) -> tuple[ast.AST, str] | None:
    """What is bound under the guard and used, or bound, in another place: it would become local to a function."""
    inside = set(ast.walk(guard))
    for name, bindings in context.names.root.bindings.items():
        if any(b.node in inside for b in bindings):
            used = context.names.uses(context.names.root, name)
            for place in (*(b.node for b in bindings), *used):
                if place not in inside or name == "*":
                    return place, name
    return None


def leads(context: Context) -> bool:
    """Whether a script, when it is run, comes to a start of the group, as far as its calls can be followed."""
    return _leads(context, context.module.tree.body, frozenset(), 0)


def _leads(context: Context, block: list[ast.stmt], seen: frozenset[ast.AST], depth: int) -> bool:
    for node in walk_block(block):
        if not isinstance(node, ast.Call):
            continue
        if context.resolve(node.func) == names.START:
            return True
        for named in (node.func, *node.args, *(k.value for k in node.keywords)) if depth < _DEEP else ():
            function = _defined(context, node, named)
            if function is not None and function.node not in seen:
                there = context.of(function.facts)
                if _leads(there, function.node.body, seen | {function.node}, depth + 1):
                    return True
    return False


def _defined(context: Context, call: ast.Call, named: ast.expr) -> Function | None:
    """The function that a call runs, or that it is handed: ``fire.Fire(main)``, ``mp.spawn(worker)``."""
    structure, own = context.flow.structure, context.view.own
    if named is call.func:
        return structure.run_by(own, call) or structure.function_named(own, named)
    return structure.function_named(own, named) if isinstance(named, ast.Name | ast.Attribute) else None


def launch_spawn(part: Part, call: ast.Call) -> None:
    """``mp.spawn(fn, args=(world_size, …), nprocs=world_size)`` becomes a launch, and the count is asked for in fn."""
    context = part.context
    given = dict(zip(_PARAMETERS, call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
    problem = _why_not(context, call, given)
    if problem is not None:
        part.obstacles.append((call, problem))
        return
    target = _function(context, given["fn"])
    assert target is not None
    display = given.get("args")
    values = display.elts if isinstance(display, ast.Tuple) else []
    counts = [index for index, value in enumerate(values) if _is_count(context, value)]
    parameters = [*target.args.posonlyargs, *target.args.args]
    kept = [context.module.segment(value) for index, value in enumerate(values) if index not in counts]
    launch = part.asks("launch", call)
    arguments = f", args=({', '.join(kept)}{',' if len(kept) == 1 else ''})" if kept else ""
    part.edits.append(Replace(context.span(call), f"{launch}({context.module.segment(given['fn'])}{arguments})"))
    body = target.body
    is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
    first = body[1] if is_text else body[0]
    for index in counts:
        parameter = parameters[index + 1]
        end = context.span(parameters[index]).end
        part.edits.append(Replace(Span(end, context.span(parameter).end), ""))
        if any(isinstance(n, ast.Name) and n.id == parameter.arg for s in body for n in ast.walk(s)):
            size = part.asks("world_size", first)
            part.edits.append(InsertStatement(context.span(first), f"{parameter.arg} = {size}()", before=True))
    nprocs = given.get("nprocs")
    if isinstance(nprocs, ast.Name):
        statement = context.module.statement(context.names.reaching(nprocs)[0].node)
        part.edits.append(RemoveStatement(context.span(statement)))


def _why_not(context: Context, call: ast.Call, given: dict[str | None, ast.expr]) -> str | None:
    if not set(given) <= set(_PARAMETERS) or any(isinstance(a, ast.Starred) for a in call.args):
        return "starts processes in a way that is not understood"
    if not isinstance(context.module.parents[call], ast.Expr):
        return "starts processes and goes on while they run"
    join, method = given.get("join"), given.get("start_method")
    if join is not None and not (isinstance(join, ast.Constant) and join.value is True):
        return "starts processes and does not wait for them"
    if method is not None and not (isinstance(method, ast.Constant) and method.value == "spawn"):
        return "starts processes in another way than spawn"
    nprocs, args = given.get("nprocs"), given.get("args")
    if nprocs is None or not _is_count(context, nprocs):
        return "starts another number of processes than there are GPUs"
    target = _function(context, given["fn"]) if "fn" in given else None
    if target is None:
        return "starts a function that is not in this file"
    if args is not None and not isinstance(args, ast.Tuple):
        return "passes arguments that cannot be seen here"
    values = args.elts if isinstance(args, ast.Tuple) else []
    parameters = [*target.args.posonlyargs, *target.args.args]
    plain = not (target.args.vararg or target.args.kwonlyargs or target.args.kwarg or target.args.defaults)
    if not plain or target.decorator_list or len(parameters) != len(values) + 1:
        return f"starts {target.name}(), whose parameters are not those that are passed"
    used = context.names.uses(context.names.root, target.name)
    if len(used) != 1:
        return f"starts {target.name}(), which is used in another way, too"
    if isinstance(nprocs, ast.Name):
        inside = set(ast.walk(call))
        home = context.names.home(nprocs)
        others = [use for use in context.names.uses(home, nprocs.id) if use not in inside] if home is not None else []
        direct = {*values, nprocs}
        if others or any(isinstance(n, ast.Name) and n.id == nprocs.id and n not in direct for n in inside):
            return f"starts {nprocs.id} processes, and {nprocs.id} is used for something else, too"
    return None


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


def _function(context: Context, node: ast.expr) -> ast.FunctionDef | None:
    found = context.names.bindings(node) if isinstance(node, ast.Name) else ()
    if len(found) == 1 and isinstance(found[0].node, ast.FunctionDef):
        return found[0].node if found[0].node in context.module.tree.body else None
    return None
