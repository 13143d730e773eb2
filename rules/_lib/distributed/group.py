"""The group that the processes join: ``init_process_group("nccl", …)``, and the names of its backend."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.roles import dotted
from xlaport.rule import InsertStatement, Replace, Span

from ..arguments import by_parameter, hides_arguments
from ..removal import removal
from ..texts import is_for_people
from . import names
from .kept_counts import elsewhere
from .part import Part
from .saying import say

_MAKING = (names.START, "torch.distributed.new_group")

_PARAMETERS = ("backend", "init_method", "timeout", "world_size", "rank")
_KNOWN = frozenset({*_PARAMETERS, "device_id"})
_ASKED = {"rank": "global_ordinal", "world_size": "world_size"}


def join(part: Part, call: ast.Call) -> None:
    """Join the group of XLA, which finds the other processes by itself."""
    context = part.context
    given = by_parameter(call, _PARAMETERS)
    backend = given.get("backend")
    if is_xla_s(context, given.get("init_method")):
        part.other_starts.append(call)
        return
    if isinstance(backend, ast.Name) and (assignment := _only_here(context, backend)) is not None:
        part.edits.append(removal(context, assignment))
        backend = None
    kind = context.target.device_type
    written = f'"{kind}"'
    if isinstance(backend, ast.Constant) and not names.is_nccl(backend):
        part.other_starts.append(call)
        return
    part.starts.append(call)
    if backend is not None and not isinstance(backend, ast.Constant):
        if not any(map(names.is_nccl, ast.walk(backend))):
            path = dotted(backend)
            if path is None:
                part.obstacles.append((call, say("XP603.backend", source=context.module.segment(backend))))
                return
            part.takes_backend.append((call, path))
            written = context.module.segment(backend)
    if len(call.args) > 2 or hides_arguments(call) or given.keys() - _KNOWN:
        part.obstacles.append((call, say("XP603.start_options")))
        return
    if not isinstance(context.module.parents[call], ast.Expr):
        part.obstacles.append((call, say("XP603.result", call="init_process_group()")))
        return
    new = [f"{'' if call.args else 'backend='}{written}", f'init_method="{kind}://"']
    if "timeout" in given:
        new.append(f"timeout={context.module.segment(given['timeout'])}")
    end = context.span(call).end - 1
    part.edits.append(Replace(Span(_arguments(context, call), end), ", ".join(new)))
    part.imports.append(context.target.symbol("process_group").imports)
    for name, meaning in _ASKED.items():
        value = given.get(name)
        if value is not None and not _is_right_already(part, call, value):
            text = f"{dotted(value)} = {part.asks(meaning, call)}()"
            part.edits.append(InsertStatement(context.span(context.module.statement(call)), text))


def is_xla_s(context: Context, method: ast.expr | None) -> bool:
    """``init_method="xla://"``: XLA's group is joined already, whatever the name of its backend is taken from."""
    return isinstance(method, ast.Constant) and str(method.value).startswith(f"{context.target.device_type}://")


def _arguments(context: Context, call: ast.Call) -> int:
    """Where the arguments of a call begin, behind its parenthesis."""
    return context.module.text.index("(", context.span(call.func).end) + 1


def _only_here(context: Context, name: ast.Name) -> ast.Assign | None:
    """The statement that gives the backend its name, where it is NCCL's and nothing else uses the name."""
    found, home = context.names.bindings(name), context.names.home(name)
    if len(found) != 1 or home is None or context.names.uses(home, name.id) != [name]:
        return None
    if home is context.names.root and context.module.function(name) is None and _reads_globals(context):
        return None
    statement, value = context.module.parents[found[0].node], found[0].value
    is_default = isinstance(value, ast.Call) and context.resolve(value.func) == names.DEFAULT_BACKEND
    return statement if isinstance(statement, ast.Assign) and (names.is_nccl(value) or is_default) else None


def _reads_globals(context: Context) -> bool:
    """Whether a script looks at its names by their texts: ``globals()``, ``exec(…)``."""
    return any(context.resolve(c.func) in ("builtins.globals", "builtins.exec") for c in context.module.calls)


# -- ranks and counts that were passed ------------------------------------------------------------------


def _is_right_already(part: Part, call: ast.Call, value: ast.expr) -> bool:
    """Whether a rank or a count that was passed has to be asked for: the program goes on with it, and computed it."""
    context = part.context
    path = dotted(value)
    if path is None or not _goes_on_with(context, call, value, path):
        return True
    if isinstance(value, ast.Name):
        return all(b.how is How.PARAMETER or _is_asked(context, b.value) for b in context.names.bindings(value))
    set_here = [
        node.value
        for node in context.module.nodes
        if isinstance(node, ast.Assign) and any(dotted(target) == path for target in node.targets)
    ]
    return bool(set_here) and all(_is_asked(context, one) for one in set_here)


def _is_asked(context: Context, value: ast.expr | None) -> bool:
    """``int(os.environ["RANK"])``, ``dist.get_rank()``."""
    if isinstance(value, ast.Call) and context.resolve(value.func) == "builtins.int" and len(value.args) == 1:
        value = value.args[0]
    if value is None:
        return False
    return names.variable(context, value) is not None or (
        isinstance(value, ast.Call) and context.resolve(value.func) in names.ASKS
    )


def _goes_on_with(context: Context, call: ast.Call, value: ast.expr, path: str) -> bool:
    """Whether a name or attribute is used in another place than this call."""
    if isinstance(value, ast.Name):
        home = context.names.home(value)
        return home is not None and any(
            use is not value and use.lineno > call.lineno for use in context.names.uses(home, value.id)
        )
    inside = set(ast.walk(call))
    return any(
        isinstance(n, ast.Attribute) and n not in inside and isinstance(n.ctx, ast.Load) and dotted(n) == path
        for n in context.module.nodes
    ) or any(elsewhere(context, path.rpartition(".")[2]))


# -- the names of the backend ---------------------------------------------------------------------------


def named(part: Part, node: ast.Constant) -> None:
    """``"nccl"`` in another place than the call: what the backend is taken from becomes XLA's, too."""
    context = part.context
    parent = context.module.parents[node]
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call) and context.resolve(call.func) == names.START:
        return
    if is_for_people(context, node) or only_tells(context, node):
        return
    chosen = chooses(context, node)
    if chosen is None or not context.editable(node):
        part.obstacles.append((node, say("XP603.backend_name")))
        return
    statement = context.module.statement(node)
    if isinstance(statement, ast.Assign) and any(_joins_with(context, target) for target in statement.targets):
        return  # (it goes: `join`)
    part.backends.update(chosen)
    part.edits.append(Replace(context.span(node), f'"{context.target.device_type}"'))


def is_for_start(context: Context, assignment: ast.Assign) -> bool:
    """``backend = get_default_backend_for_device(device)`` for one start alone."""
    return any(_joins_with(context, target) for target in assignment.targets)


def _joins_with(context: Context, target: ast.expr) -> bool:
    """``backend = "nccl"`` for one start alone, which writes it itself."""
    if not isinstance(target, ast.Name):
        return False
    used = context.names.uses(context.names.scope(target), target.id)
    return len(used) == 1 and any(
        isinstance(p, ast.Call) and context.resolve(p.func) == names.START and _only_here(context, used[0]) is not None
        for p in context.module.ancestors(used[0])
        if isinstance(used[0], ast.Name)
    )


def chooses(context: Context, node: ast.Constant) -> set[str] | None:
    """The last words of the names that a text is given to as a backend; None where it goes somewhere else."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.IfExp) and child is not parent.test:
            child = parent
            continue
        if isinstance(parent, ast.Assign | ast.AnnAssign):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            paths = [dotted(target) for target in targets]
            return {path.rpartition(".")[2] for path in paths if path is not None} if all(paths) else None
        if isinstance(parent, ast.Compare):
            others = [dotted(side) for side in (parent.left, *parent.comparators) if side is not child]
            return {path.rpartition(".")[2] for path in others if path is not None} if all(others) else None
        if isinstance(parent, ast.arguments):
            return _parameter(parent, child)
        if isinstance(parent, ast.List | ast.Tuple | ast.Set):
            child = parent
            continue
        if isinstance(parent, ast.keyword) and parent.arg in ("default", "choices"):
            return _option(context, parent)
        return None
    return None


def is_backend(context: Context, node: ast.Constant) -> bool:
    """Whether a text is the backend of a group where that is made, or asked for: ``get_backend() == "nccl"``."""
    child: ast.AST = node
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.Compare):
            sides = (side for side in (parent.left, *parent.comparators) if isinstance(side, ast.Call))
            return any(context.resolve(side.func) == names.ASKED_BACKEND for side in sides)
        if isinstance(parent, ast.Call):
            called, is_named = context.resolve(parent.func), isinstance(child, ast.keyword) and child.arg == "backend"
            return (called in _MAKING and is_named) or (called == names.START and child in parent.args[:1])
        if not isinstance(parent, ast.keyword | ast.IfExp | ast.Tuple | ast.List | ast.Set):
            return False
        child = parent
    return False


def _parameter(arguments: ast.arguments, default: ast.AST) -> set[str] | None:
    plain = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(plain), reversed(arguments.defaults), strict=False)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    return next(({a.arg} for a, value in pairs if value is default), None)


def _option(context: Context, keyword: ast.keyword) -> set[str] | None:
    """``parser.add_argument("--dist-backend", default="nccl")``"""
    call = context.module.parents[keyword]
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "add_argument":
        return None
    kept = next((k.value for k in call.keywords if k.arg == "dest"), None)
    if isinstance(kept, ast.Constant) and isinstance(kept.value, str):
        return {kept.value}
    flags = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return {flag.lstrip("-").replace("-", "_") for flag in flags} or None


def only_tells(context: Context, node: ast.Constant) -> bool:
    """``if args.dist_backend == "nccl": warnings.warn(…)``: XLA's has nothing of what is told of NCCL."""
    compare = context.module.parents[node]
    guard: ast.AST = compare
    while isinstance(guard, ast.Compare | ast.BoolOp):
        guard = context.module.parents[guard]
    if not isinstance(compare, ast.Compare) or not isinstance(guard, ast.If) or guard.orelse:
        return False
    return all(tells(context, statement) for statement in guard.body)


def tells(context: Context, statement: ast.stmt) -> bool:
    """``warnings.warn(…)``, ``print(…)``"""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Call) and context.resolve(value.func) in ("warnings.warn", "builtins.print")
