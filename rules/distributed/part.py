"""One file's part of a job of several processes: what stands in it, what becomes of it, or what is not understood."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.lineage import Function
from xlaport.facts.module import imported_modules
from xlaport.rule import Edit, Import, InsertStatement, RemoveArgument, Replace, Span

from ..main_guard import main_guard
from ..removal import removal
from ..texts import is_for_people
from . import names

_KEPT = frozenset({"find_unused_parameters", "broadcast_buffers", "bucket_cap_mb", "static_graph"})
_DEVICES = frozenset({"device_ids", "output_device"})
_VIEW = "gradient_as_bucket_view"
_OPTIONS = re.compile(r"--(local[-_]?rank|rank|node[-_]?rank|world[-_]?size|dist[-_]url|dist[-_]backend|nnodes|nodes)")


@dataclass
class Part:
    """What was found in one file. `obstacles`: what is not understood, each with its place."""

    context: Context
    starts: list[ast.Call] = field(default_factory=list)
    """The calls that join the group of NCCL."""
    other_starts: list[ast.Call] = field(default_factory=list)
    spawns: list[ast.Call] = field(default_factory=list)
    reads_ranks: list[ast.expr] = field(default_factory=list)
    """What reads a variable of torchrun."""
    obstacles: list[tuple[ast.AST, str]] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)

    def asks(self, meaning: str, node: ast.AST) -> str:
        """How to write a function of the target at a node; its import is noted."""
        text, imports = self.context.symbol(meaning, node)
        self.imports += imports
        return text


def part_of(context: Context) -> Part:
    """Read one file."""
    part = Part(context)
    for node in context.module.nodes:
        if (name := names.is_distributed(context, node)) is not None:
            assert isinstance(node, ast.expr)
            _named(part, node, name)
        elif (found := names.variable(context, node)) is not None:
            assert isinstance(node, ast.expr)
            _environment(part, node, *found)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            _text(part, node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            _imported(part, node)
    return part


def _named(part: Part, node: ast.expr, name: str) -> None:
    context = part.context
    call = names.called(context, node)
    if name == names.DEFAULT_BACKEND and call is not None and isinstance(context.module.parents[call], ast.Assign):
        assignment = context.module.parents[call]
        assert isinstance(assignment, ast.Assign)
        if _names_start(context, assignment):
            return
    if name in names.OPERATIONS or (call is None and name in names.WRAPPERS | names.SAMPLERS):
        return  # (an annotation, `isinstance`)
    if call is not None and not context.editable(call) and name not in names.ASKS:
        part.obstacles.append((node, "stands in an f-string"))
    elif call is not None and name == names.START:
        _start(part, call)
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
            part.obstacles.append((call, "asks about a group of its own"))
    elif call is None or name not in names.SAMPLERS:
        part.obstacles.append((node, f"uses {name}"))


def _start(part: Part, call: ast.Call) -> None:
    context = part.context
    given = dict(zip(("backend", "init_method", "timeout", "world_size", "rank"), call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords if k.arg is not None}
    unknown = set(given) - {"backend", "init_method", "timeout", "world_size", "rank", "device_id"}
    backend = given.get("backend")
    if isinstance(backend, ast.Name) and (assignment := _nccl_alone(context, backend)) is not None:
        part.edits.append(removal(context, assignment))
        backend = None
    if backend is not None and not isinstance(backend, ast.Constant):
        part.obstacles.append((call, f"takes the backend from {context.module.segment(backend)}"))
        part.starts.append(call)
        return
    if backend is not None and backend.value != "nccl":
        part.other_starts.append(call)
        return
    part.starts.append(call)
    if len(call.args) > 2 or any(k.arg is None for k in call.keywords) or unknown:
        part.obstacles.append((call, "passes more than backend, init_method, rank, world_size and timeout"))
        return
    for name in ("rank", "world_size"):
        value = given.get(name)
        if value is not None and not isinstance(value, ast.Name | ast.Attribute | ast.Constant | ast.Call):
            part.obstacles.append((call, f"computes its {name}, which the XLA backend finds by itself"))
            return
    kind = context.target.device_type
    new = [f'{"" if call.args else "backend="}"{kind}"', f'init_method="{kind}://"']
    if "timeout" in given:
        new.append(f"timeout={context.module.segment(given['timeout'])}")
    end = context.span(call).end - 1
    part.edits.append(Replace(Span(_arguments(context, call), end), ", ".join(new)))
    part.imports.append(context.target.symbol("process_group").imports)


def _nccl_alone(context: Context, name: ast.Name) -> ast.Assign | None:
    """The statement that gives the backend its name, where it is NCCL's and nothing else uses the name."""
    found, home = context.names.bindings(name), context.names.home(name)
    if len(found) != 1 or home is None or context.names.uses(home, name.id) != [name]:
        return None
    statement, value = context.module.parents[found[0].node], found[0].value
    is_nccl = isinstance(value, ast.Constant) and value.value == "nccl"
    is_default = isinstance(value, ast.Call) and context.resolve(value.func) == names.DEFAULT_BACKEND
    return statement if isinstance(statement, ast.Assign) and (is_nccl or is_default) else None


def _arguments(context: Context, call: ast.Call) -> int:
    """Where the arguments of a call begin, behind its parenthesis."""
    return context.module.text.index("(", context.span(call.func).end) + 1


def _wrapper(part: Part, call: ast.Call) -> None:
    context = part.context
    given = {k.arg: k for k in call.keywords}
    if len(call.args) > 1 or set(given) - _KEPT - _DEVICES - {"module", _VIEW}:
        part.obstacles.append((call, "wraps the model with options that are not understood"))
        return
    devices = given["device_ids"].value if "device_ids" in given else None
    if isinstance(devices, ast.List) and len(devices.elts) > 1:
        part.obstacles.append((call, "gives the model several devices in one process"))
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
    given = {k.arg: k.value for k in call.keywords}
    operation = call.args[1] if len(call.args) > 1 and name.endswith("all_reduce") else given.get("op")
    if len(call.args) > 2 or set(given) - {"tensor", "op", "src"}:
        part.obstacles.append((call, "is a collective with a group of its own, or does not wait"))
    elif operation is not None and context.resolve(operation) not in names.OPERATIONS:
        part.obstacles.append((call, "reduces by an operation that the XLA backend does not know"))
    elif not isinstance(context.module.parents[call], ast.Expr):
        part.obstacles.append((call, "is a collective whose result is used"))
    else:
        _cut(part, call)


def _cut(part: Part, call: ast.Call) -> None:
    """Run a collective here: pending, it would run where a value is read, and the process that logs reads alone."""
    context = part.context
    statement = context.module.statement(call)
    block = context.module.block(statement)
    following = block[block.index(statement) + 1 :][:1]
    if any(_is_call(context, s, {*names.COLLECTIVES, names.BARRIER, *context.target.barriers}) for s in following):
        return
    if any(loop.node in context.module.ancestors(call) for loop in context.loops.all()):
        # XP201 does not know it for work on the device, and may cut the graph before it.
        part.obstacles.append((call, "is a collective in a step, which has to come before the barrier of the step"))
        return
    part.edits.append(InsertStatement(context.span(statement), f"{part.asks('sync', call)}()"))


def _is_call(context: Context, statement: ast.stmt, called: set[str]) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Call) and context.resolve(value.func) in called


def _barrier(part: Part, call: ast.Call) -> None:
    context = part.context
    if call.args or any(k.arg != "device_ids" for k in call.keywords):
        part.obstacles.append((call, "waits for a group of its own, or does not wait"))
    elif not isinstance(context.module.parents[call], ast.Expr):
        part.obstacles.append((call, "waits, and something is done with what comes back"))
    else:
        part.edits.append(Replace(context.span(call), f'{part.asks("rendezvous", call)}("barrier")'))


def _environment(part: Part, node: ast.expr, name: str, default: ast.expr | None) -> None:
    context = part.context
    parent = context.module.parents[node]
    if name in names.ADDRESSES:
        if (isinstance(parent, ast.Assign) and parent.targets == [node]) or isinstance(parent, ast.Expr):
            part.edits.append(removal(context, context.module.statement(node)))
        else:
            part.obstacles.append((node, f"uses {name} for something else than to set it"))
        return
    part.reads_ranks.append(node)
    meaning, single = names.RANKS.get(name, (None, 0))
    is_number = isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.int"
    if meaning is None or not is_number or isinstance(node, ast.Compare) or not context.editable(node):
        part.obstacles.append((node, f"asks for {name} in a way that is not understood"))
    elif default is not None and not (isinstance(default, ast.Constant) and str(default.value) == str(single)):
        part.obstacles.append((node, f"runs without the other processes where {name} is not set"))
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        part.obstacles.append((node, f"sets {name}"))
    else:
        part.edits.append(Replace(context.span(parent), f"{part.asks(meaning, node)}()"))


def _imported(part: Part, node: ast.Import | ast.ImportFrom) -> None:
    for module in imported_modules(node):
        if module.partition(".")[0] in names.FRAMEWORKS and not getattr(node, "level", 0):
            part.obstacles.append((node, f"imports {module}, which does things of its own between the processes"))


def _text(part: Part, node: ast.Constant) -> None:
    context = part.context
    if node.value == "nccl":
        parent = context.module.parents[node]
        call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
        if isinstance(call, ast.Call) and context.resolve(call.func) == names.START:
            return
        if isinstance(call, ast.Assign) and _names_start(context, call):
            return
        if not is_for_people(context, node):
            part.obstacles.append((node, "names the backend, too"))
    elif isinstance(node.value, str) and _OPTIONS.fullmatch(node.value):
        part.obstacles.append((node, f"has an option {node.value}, which a launcher of processes gives"))


def _names_start(context: Context, assignment: ast.Assign) -> bool:
    """``backend = "nccl"`` for the start alone."""
    target = assignment.targets[0]
    home = context.names.scope(target)
    used = context.names.uses(home, target.id) if isinstance(target, ast.Name) else []
    call = context.module.parents[used[0]] if len(used) == 1 else None
    call = context.module.parents[call] if isinstance(call, ast.keyword) else call
    return isinstance(call, ast.Call) and context.resolve(call.func) == names.START


def condition_of(context: Context, node: ast.AST, seen: frozenset[ast.AST] = frozenset()) -> ast.AST | None:
    """The condition under which alone code runs in a process, through the calls that lead to it."""
    top = main_guard(context)
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
            if parent in seen:
                return None
            structure = context.flow.structure
            for site in structure.calls_to(Function(context.view.own, parent)):
                found = condition_of(context.of(site.facts), site.node, seen | {parent})
                if found is not None:
                    return found
            return None
        if parent is not top and isinstance(
            parent, ast.If | ast.IfExp | ast.Try | ast.For | ast.While | ast.Match | ast.Lambda
        ):
            return parent
    return None
