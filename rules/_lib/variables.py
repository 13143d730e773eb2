"""Where a file speaks of environment variables, and which of its statements do nothing but set or drop one."""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xlaport.context import Context

from .removal import is_effect_free

_NAME = re.compile(r"[A-Z][A-Z0-9_]{2,}")
_FUNCTIONS = frozenset({"os.getenv", "os.putenv", "os.unsetenv"})
_METHODS = frozenset({"getenv", "setenv", "delenv"})
_SETTING = frozenset({"setdefault", "putenv"})
_DROPPING = frozenset({"pop", "unsetenv"})


class Where(enum.Enum):
    """In what place a variable is named."""

    ENVIRONMENT = "environment"
    """A key of the environment: ``os.environ["NAME"]``, ``os.getenv("NAME")``, ``dict(os.environ, NAME="1")``."""
    KEY = "key"
    """A key of a dict, which may become an environment."""
    KEPT = "kept"
    """A value that is kept: assigned, or in a list."""
    OTHER = "other"


@dataclass(frozen=True)
class Mention:
    """One place that names an environment variable."""

    name: str
    node: ast.Constant | ast.keyword
    where: Where
    statement: ast.stmt | None = None
    """The statement, if it does nothing but set or drop the variable."""
    value: ast.expr | None = None
    """What that statement sets it to."""
    is_needed: bool = True
    """Whether the variable may have to be there: it is read or dropped here, or nobody knows."""


def mentions(context: Context) -> Iterator[Mention]:
    """Every text, and every keyword of an environment, that is spelled like a variable, in source order."""
    for node in context.module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAME.fullmatch(node.value):
            if not isinstance(context.module.parents[node], ast.Expr | ast.JoinedStr):
                yield _mention(context, node, node.value)
        elif isinstance(node, ast.keyword) and node.arg is not None and _fills_environment(context, node):
            yield Mention(node.arg, node, Where.ENVIRONMENT, is_needed=False)


def needed(context: Context, found: Iterable[Mention]) -> frozenset[str]:
    """The variables that something here, or in another file of the project, may want to be there."""
    found = list(found)
    set_here = {m.name for m in found if m.statement is not None}
    here = {m.name for m in found if m.is_needed}
    return frozenset(here | {name for name in set_here - here if _is_read_elsewhere(context, name)})


def _mention(context: Context, node: ast.Constant, name: str) -> Mention:
    where = _where(context, node)
    if where is not Where.ENVIRONMENT:
        return Mention(name, node, where)
    statement = context.module.statement(node)
    parent = context.module.parents[node]
    if isinstance(parent, ast.Subscript):
        return _item(context, Mention(name, node, where), parent, statement)
    if isinstance(parent, ast.Call) and isinstance(statement, ast.Expr) and statement.value is parent:
        called = parent.func.attr if isinstance(parent.func, ast.Attribute) else context.resolve(parent.func) or ""
        verb = called.rpartition(".")[2]
        if verb in _SETTING | _DROPPING and is_effect_free(context, *parent.args):
            value = parent.args[1] if verb in _SETTING and len(parent.args) > 1 else None
            return Mention(name, node, where, statement, value, is_needed=False)
    return Mention(name, node, where)


def _item(context: Context, mention: Mention, item: ast.Subscript, statement: ast.stmt) -> Mention:
    """``os.environ["NAME"]``, which is set, dropped or read."""
    name, node, where = mention.name, mention.node, mention.where
    if not _is_environ(context, item.value):
        return mention  # an environment by its name only
    if isinstance(statement, ast.Assign) and statement.targets == [item]:
        free = is_effect_free(context, statement.value)
        return Mention(name, node, where, statement if free else None, statement.value, is_needed=False)
    if isinstance(statement, ast.Delete):
        return Mention(name, node, where, statement, is_needed=False) if statement.targets == [item] else mention
    is_set = isinstance(item.ctx, ast.Store) and not isinstance(statement, ast.AugAssign)
    return Mention(name, node, where, is_needed=not is_set)


def _where(context: Context, node: ast.Constant) -> Where:
    parent = context.module.parents[node]
    if isinstance(parent, ast.Subscript):
        return Where.ENVIRONMENT if parent.slice is node and _is_like_environ(context, parent.value) else Where.OTHER
    if isinstance(parent, ast.Call) and node in parent.args:
        func = parent.func
        is_method = isinstance(func, ast.Attribute) and (func.attr in _METHODS or _is_like_environ(context, func.value))
        return Where.ENVIRONMENT if is_method or context.resolve(func) in _FUNCTIONS else Where.OTHER
    if isinstance(parent, ast.Compare):
        is_asked = any(_is_like_environ(context, side) for side in parent.comparators)
        return Where.ENVIRONMENT if is_asked else Where.OTHER
    if isinstance(parent, ast.Dict):
        return Where.KEY if node in parent.keys else Where.KEPT
    return Where.KEPT if isinstance(parent, ast.List | ast.Tuple | ast.Set | ast.Assign) else Where.OTHER


def _is_environ(context: Context, node: ast.expr) -> bool:
    """``os.environ``, or a copy of it."""
    if isinstance(node, ast.Name) and context.resolve(node) is None:
        values = [binding.value for binding in context.names.bindings(node)]
        return bool(values) and all(value is not None and _speaks_of_environ(context, value) for value in values)
    return context.resolve(node) == "os.environ" or (isinstance(node, ast.Call) and _speaks_of_environ(context, node))


def _speaks_of_environ(context: Context, node: ast.expr) -> bool:
    return any(context.resolve(part) == "os.environ" for part in ast.walk(node))


def _is_like_environ(context: Context, node: ast.expr) -> bool:
    """An environment, as far as its name tells."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return "env" in name.lower() or _is_environ(context, node)


def _fills_environment(context: Context, node: ast.keyword) -> bool:
    """``dict(os.environ, NAME="0")``, ``env.update(NAME="0")``."""
    call = context.module.parents[node]
    if not isinstance(call, ast.Call):
        return False
    around = [*call.args, call.func.value] if isinstance(call.func, ast.Attribute) else call.args
    return any(_is_like_environ(context, a) for a in around)


def _is_read_elsewhere(context: Context, name: str) -> bool:
    """Whether another file of the project reads a variable, as its text shows."""
    view = context.view
    reads = re.compile(rb"(?:environ\s*\[|environ\.get\(|getenv\()\s*[\"']%s[\"'](?!\s*\]\s*=[^=])" % name.encode())
    return bool(view.program.saying(reads, name.encode()) - {view.own.file})
