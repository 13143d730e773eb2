"""The calls that write a checkpoint, and what is written where."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted
from xlaport.facts.sampling import Sampling
from xlaport.facts.structure import Function

from ..arguments import given

TORCH = frozenset({"torch.save", "torch.serialization.save"})
_PARAMETERS = ("obj", "f", "pickle_module", "pickle_protocol", "_use_new_zipfile_serialization")
_BUFFERS = frozenset({"io.BytesIO"})
_MAX_DEPTH = 4


def saved(context: Context, call: ast.Call) -> dict[str, ast.expr] | None:
    """What a call of ``torch.save`` is given; None for another call, and where it is not plain."""
    return given(call, _PARAMETERS) if context.resolve(call.func) in TORCH else None


def handed_on(context: Context, call: ast.Call) -> list[tuple[Facts, ast.expr]] | None:
    """What ``torch.save(*args, **kwargs)`` saves, if the function around hands on what its callers pass.

    None where it does not, or where some of them pass it in another way than ``save(what, path)``.
    """
    if context.resolve(call.func) not in TORCH or len(call.args) != 1 or not isinstance(call.args[0], ast.Starred):
        return None
    function = context.module.function(call)
    vararg, kwarg = (function.args.vararg, function.args.kwarg) if function is not None else (None, None)
    if function is None or vararg is None or function.args.args or ast.unparse(call.args[0].value) != vararg.arg:
        return None
    if any(k.arg is not None or kwarg is None or ast.unparse(k.value) != kwarg.arg for k in call.keywords):
        return None
    sites = context.flow.structure.calls_to(Function(context.view.own, function))
    if not sites or any(len(s.node.args) != 2 or s.node.keywords for s in sites):
        return None
    return [(site.facts, site.node.args[0]) for site in sites]


def is_save(context: Context, call: ast.Call) -> bool:
    """Whether a call writes a checkpoint, by PyTorch or by the target."""
    return context.resolve(call.func) in TORCH or is_target_save(context, call)


def is_target_save(context: Context, call: ast.Call) -> bool:
    """Whether a call is that of the target, which all processes have to make."""
    return context.resolve(call.func) == context.target.symbol("save").qualified


def saves_in(
    context: Context, block: list[ast.stmt], seen: frozenset[ast.AST] = frozenset()
) -> Iterator[tuple[Context, ast.Call]]:
    """The saves that some statements do, themselves or in functions of the project that they call."""
    for node in walk_block(block):
        if not isinstance(node, ast.Call):
            continue
        if is_save(context, node):
            yield context, node
            continue
        called = context.flow.structure.run_by(context.view.own, node) if len(seen) < _MAX_DEPTH else None
        if called is not None and called.node not in seen:
            yield from saves_in(context.of(called.facts), called.node.body, seen | {called.node})


def is_buffer(context: Context, node: ast.expr) -> bool:
    """Whether what is written to is in the memory of the process."""
    if isinstance(node, ast.Call):
        return context.resolve(node.func) in _BUFFERS
    found = context.names.reaching(node) if isinstance(node, ast.Name) else ()
    return any(b.how is How.ASSIGN and isinstance(b.value, ast.Call) and is_buffer(context, b.value) for b in found)


def is_own_buffer(context: Context, node: ast.expr) -> bool:
    """Whether a name is for a buffer that the program itself writes to and reads from: ``io.BytesIO()``."""
    found = context.names.reaching(node) if isinstance(node, ast.Name) else ()
    made = [b.value for b in found if b.how is How.ASSIGN and isinstance(b.value, ast.Call)]
    is_new = any(context.resolve(call.func) in _BUFFERS and not call.args for call in made)
    home = context.names.home(node) if isinstance(node, ast.Name) else None
    if not is_new or home is None or not isinstance(node, ast.Name):
        return False
    parents = [context.module.parents[use] for use in context.names.uses(home, node.id)]
    called = [context.resolve(parent.func) for parent in parents if isinstance(parent, ast.Call)]
    return "torch.load" in called and any(name in TORCH for name in called)


def is_of_sample(context: Context, node: ast.AST) -> bool:
    """Whether code makes samples of a data set by itself, in the workers of a loader: it runs no model."""
    function = context.module.function(node)
    if function is None or any(_is_kept(context, n) for n in ast.walk(function)):
        return False
    return Sampling(context.flow.structure).makes_samples(context.view.own, node)


def _is_kept(context: Context, node: ast.AST) -> bool:
    """A model that runs, or a tensor that an object keeps, which may have been moved elsewhere."""
    if isinstance(node, ast.Call):
        return context.roles.is_(node.func, Role.MODEL)
    return isinstance(node, ast.Attribute) and dotted(node.value) == "self" and context.roles.is_(node, Role.TENSOR)


def path_of(context: Context, call: ast.Call) -> str | None:
    """The file of a load or a save, as the code says it."""
    if context.resolve(call.func) in TORCH:
        path = (saved(context, call) or {}).get("f")
    else:
        path = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "f"), None)
    return ast.dump(path) if path is not None else None


def is_saved_sample(context: Context, load: ast.Call) -> bool:
    """Whether code that makes samples loads what it has saved itself: ``else: torch.save(image, path)``."""
    function, path = context.module.function(load), path_of(context, load)
    if function is None or path is None or not is_of_sample(context, load):
        return False
    return any(
        context.resolve(call.func) in TORCH and path_of(context, call) == path
        for call in context.module.that_run(function.body, ast.Call)
    )
