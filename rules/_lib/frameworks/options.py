"""Options of training libraries that suit GPUs only (``options.toml``): what becomes of each, as data.

A table stands under its library. Its keys:

    name           the keyword argument
    values         the values that concern us, as `ast.unparse` writes them
    pattern        the same, as a regular expression that fits the whole value
    but            the values that do not concern us, where all others do
    constant       only a constant is compared with `but`: what is computed may be any value
    open           where the value cannot be seen, say so
    becomes        the value that replaces it
    renamed        the name that replaces the name
    drops          the argument is removed
    unless         another argument, in whose presence the option is as it should be
    replaced       what the recipe replaces by another thing: where the file does that, nothing is said
    why            what it does on a TPU: a predicate ("raises …")
    then           what the fix makes of it, and what the new value does
    recipe         what to do by hand; where there is none, it follows from `becomes` or `renamed`, or the option goes
    snippet        that in code
    applicability  safe or unsafe, where there is a fix
    same           another option of the library, whose keys this one takes over
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlaport.context import Context
from xlaport.facts.module import imported_modules
from xlaport.rule import Applicability, Edit, Finding, RemoveArgument, Replace, Rule, Span
from xlaport.tables import read_table
from xlaport.wording import Text

from .saying import say

FILE = Path(__file__).parents[2] / "frameworks" / "options.toml"


@dataclass(frozen=True)
class Option:
    """One option, with some of its values."""

    name: str
    why: str
    values: tuple[str, ...] = ()
    pattern: str = ""
    but: tuple[str, ...] = ()
    constant: bool = False
    open: bool = False
    becomes: str = ""
    renamed: str = ""
    drops: bool = False
    unless: str = ""
    replaced: str = ""
    then: str = ""
    recipe: str = ""
    snippet: str = ""
    applicability: str = "manual"

    def concerns(self, value: ast.expr) -> bool:
        """Whether a value is one that does not suit a TPU."""
        text = ast.unparse(value)
        if self.values or self.pattern:
            return text in self.values or (bool(self.pattern) and re.fullmatch(self.pattern, text) is not None)
        return text not in self.but and not (self.constant and not _is_constant(value))

    def may_concern(self, value: ast.expr) -> bool:
        """Whether a value that cannot be seen may be one."""
        return self.open and not _is_constant(value)


def _is_constant(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        return _is_constant(value.operand)
    return isinstance(value, ast.Constant) or (isinstance(value, ast.List) and all(map(_is_constant, value.elts)))


@cache
def options(library: str) -> Mapping[str, list[Option]]:
    """The options of a library by their names."""
    tables: list[dict[str, Any]] = read_table(FILE)[library]
    found: dict[str, list[Option]] = {}
    for table in tables:
        if "same" in table:
            other = next(t for t in tables if t["name"] == table["same"])
            table = {**{k: v for k, v in other.items() if k not in ("values", "but")}, **table}
            table.pop("same")
        keys: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
        found.setdefault(keys["name"], []).append(Option(**keys))
    return found


def in_call(rule: Rule, context: Context, call: ast.Call, library: str) -> Iterator[Finding]:
    """The findings for the arguments of a call of a library."""
    known = options(library)
    given = {keyword.arg for keyword in call.keywords}
    for keyword in call.keywords:
        for option in known.get(keyword.arg or "", []):
            if option.unless in given or is_replaced(context, option.replaced):
                continue
            if option.concerns(keyword.value):
                yield _found(rule, context, call, keyword, option)
            elif option.may_concern(keyword.value):
                values = " or ".join(f"`{value}`".replace("'", '"') for value in option.values)
                message = say.phrase("unseen", name=option.name, values=values, why=option.why)
                yield rule.finding(context.place(keyword), _left(message, option))


def is_replaced(context: Context, name: str) -> bool:
    """Whether the file gives a name of another module a value of its own: ``library.module.name = other``."""
    targets = (target for node in context.module.of_type(ast.Assign) for target in node.targets) if name else ()
    return any(isinstance(target, ast.Attribute) and context.resolve(target) == name for target in targets)


def _found(rule: Rule, context: Context, call: ast.Call, keyword: ast.keyword, option: Option) -> Finding:
    shown = _shown(context, option.name, keyword.value)
    edits = _edits(context, call, keyword, option)
    if not edits:
        return left(rule, context.place(keyword), shown, option)
    text = Text(say.phrase("fixed", shown=shown, why=option.why, then=option.then), option.recipe)
    return rule.finding(context.span(keyword), text, *edits, applicability=Applicability(option.applicability))


def _shown(context: Context, name: str, value: ast.expr) -> str:
    """An option as it is written, on one line."""
    return f"{name}={' '.join(context.module.segment(value).split())}"


def left(rule: Rule, place: Span, shown: str, option: Option) -> Finding:
    """The finding that leaves an option, shown as it is written, to the user."""
    return rule.finding(place, _left(say.phrase("left", shown=shown, why=option.why), option))


def _left(message: str, option: Option) -> Text:
    code = option.becomes or f"{option.renamed}=True"
    otherwise = "Remove it." if option.drops else f"Write `{code}`."
    return Text(message, option.recipe or otherwise, option.snippet.strip("\n"))


def _edits(context: Context, call: ast.Call, keyword: ast.keyword, option: Option) -> list[Edit]:
    if not context.editable(call):
        return []
    span = context.span(keyword)
    if option.drops:
        return [RemoveArgument(context.span(call), span)]
    if option.becomes:
        return [Replace(context.span(keyword.value), option.becomes)]
    if option.renamed:
        other = next((k for k in call.keywords if k.arg == option.renamed), None)
        if other is None:
            return [Replace(span, f"{option.renamed}=True")]
        return [RemoveArgument(context.span(call), span), Replace(context.span(other.value), "True")]
    return []


def in_displays(rule: Rule, context: Context, library: str, packages: tuple[str, ...]) -> Iterator[Finding]:
    """``{"accelerator": "gpu"}`` in a file that imports the library: options for a call that is not seen."""
    if not _imports(context, packages):
        return
    known = options(library)
    for node in context.module.nodes:
        pairs: list[tuple[str, ast.expr]] = []
        if isinstance(node, ast.Dict):
            for item, value in zip(node.keys, node.values, strict=True):
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    pairs.append((item.value, value))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            key = node.targets[0].slice
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                pairs = [(key.value, node.value)]
        elif isinstance(node, ast.Call) and context.resolve(node.func) == "builtins.dict":
            pairs = [(k.arg, k.value) for k in node.keywords if k.arg is not None]
        for name, value in pairs:
            for option in known.get(name, []):
                # Of most options any value will do, and the key may mean something else here.
                if (option.values or option.pattern) and option.concerns(value):
                    shown = _shown(context, name, value)
                    message = say.phrase("mentioned", library=library, shown=shown, why=option.why)
                    yield rule.finding(context.place(value), _left(message, option))


def _imports(context: Context, packages: tuple[str, ...]) -> bool:
    return any(
        module.partition(".")[0] in packages
        for node in context.module.nodes
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0)
        for module in imported_modules(node)
    )
