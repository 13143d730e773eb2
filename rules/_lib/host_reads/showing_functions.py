"""Functions of the project that do nothing but show: ``progress_bar(i, n, text)``, which writes to the terminal.

A method may show what its object holds, ``progress.display(i)``, where a copy of that can be made: it holds numbers,
texts and tensors without gradients, and the method changes none of it.
"""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.contents import Contents, contents_of
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How, Scope
from xlaport.facts.roles import Role
from xlaport.facts.structure import Function
from xlaport.facts.vocabulary import HOST_READ_METHODS

from .copied_parts import CopiedParts
from .outputs import may_be_ended, opening_of, shown

_STATEMENTS = (
    ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.If, ast.For, ast.While, ast.Return, ast.Pass, ast.Global,
    ast.Continue, ast.Break,
)  # fmt: skip
_BLIND = ("time.", "math.", "datetime.", "os.path.")
_PURE = frozenset(
    f"builtins.{name}"
    for name in (
        "len", "int", "float", "str", "round", "min", "max", "sum", "abs", "range", "enumerate", "zip", "sorted",
        "isinstance", "format", "list", "dict", "tuple", "bool", "repr", "divmod",
    )
)  # fmt: skip
_LOADED = (ast.Module, ast.If, ast.Try)
_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Lambda)
_OF_TEXT = ("format", "join", "ljust", "rjust", "center", "items", "keys", "values", "strip", "replace", "split")
_FILLING = ("append", "extend", "insert")


def is_shown(context: Context, statement: ast.stmt) -> ast.Call | None:
    """The call, if a statement only shows what it is given, itself or by a function of the project."""
    call = shown(context, statement)
    if call is not None:
        return call
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None
    function = context.flow.structure.run_by(context.view.own, statement.value)
    if function is not None and _only_shows(context, function):
        return statement.value
    return statement.value if held_and_shown(context, statement.value) is not None else None


def held_and_shown(context: Context, call: ast.Call) -> Contents | None:
    """What an object holds, if the method that a call runs does nothing but show that, and it can be copied."""
    function = context.flow.structure.run_by(context.view.own, call)
    if function is None or not isinstance(call.func, ast.Attribute) or _only_shows(context, function):
        return None
    return contents(context, call.func.value) if _only_shows(context, function, held=True) else None


def contents(context: Context, node: ast.expr) -> Contents | None:
    """What an object of the project holds, if that can be copied."""
    return contents_of(context.flow.structure, context.view.own, node)


def only_looks(context: Context, statement: ast.stmt, shown_object: ast.expr) -> bool:
    """Whether what a statement runs to show an object, without calling it in words, changes nothing: ``f"{meter}"``,
    and the properties that ``"{meter.average}".format(meter=meter)`` asks for.
    """
    shows, structure = is_shown(context, statement), context.flow.structure
    ran = [f for n in walk_block([statement]) if n is not shows for f in context.loops.run_by(n)]
    for owner in structure.instances_of(context.view.own, shown_object):
        for base in structure.bases(owner):
            methods = (s for s in base.node.body if isinstance(s, FunctionNode) and s.decorator_list)
            ran += [Function(base.facts, method) for method in methods]
    return all(_looks(context, function, frozenset(), held=True) is not None for function in ran)


def _only_shows(context: Context, function: Function, *, held: bool = False) -> bool:
    """`held`: the object of the method is a copy."""
    return function.facts.once(
        ("only shows", held, function.node), lambda: _looks(context, function, frozenset(), held) is True
    )


def _looks(context: Context, function: Function, opened: frozenset[FunctionNode], held: bool = False) -> bool | None:
    """Whether a function shows something; None where it does more than that, or what it looks at may have changed."""
    own, node = context.of(function.facts), function.node
    if node in opened or isinstance(node, ast.AsyncFunctionDef) or not _is_plain(own, node):
        return None
    shows = False
    asked = _asked(own, node)
    copy = CopiedParts(own, node) if held else None
    for inner in walk_block(node.body):
        if isinstance(inner, ast.Attribute) and inner not in asked and own.resolve(inner) is None:
            if copy is None or not copy.is_part(inner):
                return None  # what it is may change until then
        if isinstance(inner, ast.AugAssign) and not _is_added_to_alone(own, inner):
            return None
        if isinstance(inner, ast.expr) and _computes(own, inner):
            return None
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and not _is_settled(own, inner, node):
            return None
        if isinstance(inner, ast.stmt) and not isinstance(inner, _STATEMENTS) and not _opens_files(own, inner):
            return None
        if isinstance(inner, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr | ast.Lambda):
            return None
        if isinstance(inner, ast.Attribute | ast.Subscript) and not isinstance(inner.ctx, ast.Load):
            return None
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load) and not _is_its(own, inner, node):
            return None
        if isinstance(inner, ast.Call):
            parent = own.module.parents[inner]
            if isinstance(parent, ast.stmt) and shown(own, parent) is inner:
                if not _writes_within(own, inner, node) and may_be_ended(own, inner):
                    return None
                shows = True
                continue
            is_opened = isinstance(parent, ast.withitem)  # see `_opens_files`
            if not own.loops.run_by(inner) and not is_opened and not _is_harmless(own, inner, node):
                return None
        for called in own.loops.run_by(inner):  # also by ``str(meter)``, ``f"{meter}"``
            found = _looks(context, called, opened | {node}, copy is not None and copy.is_given(inner))
            if found is None:
                return None
            shows = shows or found
    return shows


def _writes_within(context: Context, call: ast.Call, function: FunctionNode) -> bool:
    """Whether a call writes into a file that its function opens and closes itself."""
    around = opening_of(context, call.func.value) if isinstance(call.func, ast.Attribute) else None
    return around is not None and context.module.function(around) is function


def _opens_files(context: Context, statement: ast.stmt) -> bool:
    """``with open(path, "a") as file:``, which is closed before the function ends."""
    return isinstance(statement, ast.With) and all(
        isinstance(item.context_expr, ast.Call) and context.resolve(item.context_expr.func) == "builtins.open"
        for item in statement.items
    )


def _is_plain(context: Context, function: FunctionNode) -> bool:
    return all(context.resolve(decorator) == "builtins.property" for decorator in function.decorator_list)


def _computes(context: Context, node: ast.expr) -> bool:
    """Whether an expression gives the device work: in a thread, beside a step's sync, that is a race."""
    if not context.roles.is_(node, Role.TENSOR) or isinstance(node, ast.Name | ast.Starred):
        return False
    return not isinstance(node, ast.Attribute) or context.roles.is_(node.value, Role.TENSOR)


def _is_added_to_alone(context: Context, statement: ast.AugAssign) -> bool:
    """Whether what is added to is not, by another name, what somebody else holds: ``rows = self.rows; rows += [1]``."""
    target = statement.target
    given = [b.value for b in context.names.bindings(target) if b.how is not How.AUGMENT] if isinstance(
        target, ast.Name
    ) else []  # fmt: skip
    return all(
        value is None
        or not isinstance(value, ast.Name | ast.Attribute | ast.Subscript)
        or context.roles.is_(value, Role.NUMBER, Role.TEXT)
        for value in given
    )


def _asked(context: Context, function: FunctionNode) -> set[ast.AST]:
    """What the calls of a function name: ``self.writer.add_scalar`` and its parts."""
    found: set[ast.AST] = set()
    for call in walk_block(function.body):
        node = call.func if isinstance(call, ast.Call) else None
        while isinstance(node, ast.Attribute):
            found.add(node)
            node = node.value
    return found


def _is_settled(context: Context, name: ast.Name, function: FunctionNode) -> bool:
    """Whether a name means the same to a function at any time: its own, a definition, a number of the file."""
    home = context.names.home(name)
    if home is None or _is_within(context, home, function):
        return True
    found = home.bindings[name.id]
    if all(binding.how in (How.IMPORT, How.FUNCTION, How.CLASS) for binding in found):
        return True
    if any(context.module.function(binding.node) is function for binding in found):
        return _is_its(context, name, function)
    is_loaded = all(not b.elsewhere and isinstance(context.module.parents[context.module.statement(b.node)], _LOADED)
                    for b in found)  # fmt: skip
    values = [binding.value for binding in found]
    return is_loaded and home.parent is None and not any(isinstance(v, _MUTABLE) for v in values)


def _is_its(context: Context, name: ast.Name, function: FunctionNode) -> bool:
    """Whether only a function itself sees what it binds: a variable, or a global that nothing else looks at."""
    home = context.names.home(name)
    if home is None:
        return False
    if _is_within(context, home, function):
        return True
    if home.parent is not None or context.flow.structure.is_everywhere(context.view.own, name.id):
        return False
    outside = [use for use in context.names.uses(home, name.id) if context.module.function(use) is not function]
    return all(context.module.function(use) is None for use in outside)  # as the file is loaded


def _is_within(context: Context, home: Scope, function: FunctionNode) -> bool:
    """Whether a scope is that of a function, or of a comprehension in it."""
    return home.node is function or (
        not isinstance(home.node, ast.Module) and function in context.module.ancestors(home.node)
    )


def _is_harmless(context: Context, call: ast.Call, function: FunctionNode) -> bool:
    called = context.resolve(call.func) or ""
    if called in _PURE or called.startswith(_BLIND):
        return True
    if called == "json.dumps":
        return not any(keyword.arg in (None, "default", "cls") for keyword in call.keywords)  # code of the project
    func = call.func
    if not isinstance(func, ast.Attribute) or context.flow.structure.instance_of(context.view.own, func.value):
        return False
    if func.attr in HOST_READ_METHODS and not call.args:
        return True
    if func.attr in _FILLING:
        bound = context.names.bindings(func.value) if isinstance(func.value, ast.Name) else ()
        return bool(bound) and all(b.how is How.ASSIGN and isinstance(b.value, ast.List) for b in bound) and all(
            context.module.function(b.node) is function for b in bound
        )  # fmt: skip
    return func.attr in _OF_TEXT or context.roles.is_(func.value, Role.TEXT)
