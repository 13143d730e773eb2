"""Whether ``**options`` gives a call a certain argument: always, on some ways only, or never."""

from __future__ import annotations

import ast
import enum

from xlaport.facts.names import How
from xlaport.facts.program import Facts

_READING = frozenset({"get", "keys", "items", "values", "copy"})


class Gives(enum.Enum):
    """How often a dict of options has a key where it is spread."""

    ALWAYS = "always"
    SOMETIMES = "sometimes"
    NEVER = "never"


def gives(facts: Facts, options: ast.expr, key: str) -> Gives | None:
    """The answer for a local dict that is displayed, and filled item by item; None where more may happen to it."""
    found = facts.names.reaching(options) if isinstance(options, ast.Name) else ()
    home = facts.names.home(options) if isinstance(options, ast.Name) else None
    if not isinstance(options, ast.Name) or home is None or len(found) != 1 or found[0].how is not How.ASSIGN:
        return None
    keys = _displayed(facts, found[0].value)
    if keys is None or facts.module.function(found[0].node) is not facts.module.function(options):
        return None
    stored: list[ast.stmt] = []
    for use in facts.names.uses(home, options.id):
        parent = facts.module.parents[use]
        if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store):
            if not isinstance(parent.slice, ast.Constant):
                return None
            stored += [facts.module.statement(parent)] if parent.slice.value == key else []
        elif not _only_reads(parent):
            return None
    if key in keys:
        return Gives.ALWAYS
    if not stored:
        return Gives.NEVER
    around = {facts.module.statement(options), *facts.module.ancestors(options)}
    before = (statement for statement in stored if statement.lineno < options.lineno)
    is_sure = any(later in around for statement in before for later in facts.module.block(statement))
    return Gives.ALWAYS if is_sure else Gives.SOMETIMES


def _displayed(facts: Facts, value: ast.expr | None) -> set[str] | None:
    """The keys of ``{"a": 1}`` and of ``dict(a=1)``."""
    if isinstance(value, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in value.keys]
        return None if None in keys else {str(key) for key in keys}
    if isinstance(value, ast.Call) and facts.names.resolve(value.func) == "builtins.dict" and not value.args:
        names = [keyword.arg for keyword in value.keywords]
        return None if None in names else {name for name in names if name}
    return None


def _only_reads(parent: ast.AST) -> bool:
    """``f(**options)``, ``options["a"]``, ``options.get("a")``."""
    if isinstance(parent, ast.Attribute):
        return parent.attr in _READING
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.ctx, ast.Load)
    return isinstance(parent, ast.keyword) and parent.arg is None
