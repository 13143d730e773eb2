"""One parsed file: the tree with its parents, its statements, and exact positions in the text."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar, cast, overload

from xlaport.facts import fstrings, old_keyword
from xlaport.finding import Span

_NEWLINE = re.compile(r"\r\n|\r|\n")
_SHOWING = re.compile(r"[\s)]*=(?!=)")
"""What stands behind the expression of ``f"{x=}"``."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_NO_CHILDREN = frozenset({"ctx", "op", "ops", "id", "attr", "kind", "type_comment", "conversion", "level", "module"})
"""Fields without a node in them, or with one that says nothing by itself."""
_MIXED = frozenset({"keys", "kw_defaults", "names", "kwd_attrs"})
"""Lists that hold other things than nodes, too: None, or texts."""
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {}

LoopNode = ast.For | ast.AsyncFor | ast.While
A = TypeVar("A", bound=ast.AST)
B = TypeVar("B", bound=ast.AST)
C = TypeVar("C", bound=ast.AST)
D = TypeVar("D", bound=ast.AST)


class Module:
    """A file's text and tree. Raises `SyntaxError` or `ValueError` where Python itself would."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree, self.old_keywords = old_keyword.parsed(text)
        """The tree, and the arguments that it has under another name than the text (see `old_keyword`)."""
        # Only these three newlines count for Python's line numbers; str.splitlines knows many more.
        self._starts = [0, *(m.end() for m in _NEWLINE.finditer(text))]
        self.parents: dict[ast.AST, ast.AST] = {}
        self.children: dict[ast.AST, Sequence[ast.AST]] = {}
        """The direct children of each node, in the order of the grammar, which is mostly that of the source."""
        self.nodes: list[ast.AST] = []
        self._of_types: dict[tuple[type[ast.AST], ...], list[ast.AST]] = {}
        self._of_kinds: dict[tuple[type[ast.AST], ...], list[int]] = {}
        self._index(self.tree)
        self._unplaced = frozenset(() if fstrings.ARE_EXACT else self._without_place())

    def _without_place(self) -> Iterator[ast.AST]:
        """Put the positions in f-strings right: what is in those where that is not possible."""
        placing, behind = fstrings.Placing(self.text, self._starts), 0
        for string in self.of_type(ast.JoinedStr):
            owner = self.parents[string]
            is_format = isinstance(owner, ast.FormattedValue) and owner.format_spec is string
            if self.order[string] >= behind and not is_format and not placing.place(string):
                behind = self._behind(string)
                yield from self.nodes[self.order[string] + 1 : behind]

    def _index(self, root: ast.AST) -> None:
        todo = [root]
        while todo:
            node = todo.pop()
            self.nodes.append(node)
            inside = self.children[node] = children(node)
            for child in inside:
                self.parents[child] = node
            todo.extend(reversed(inside))

    @overload
    def of_type(self, kind: type[A], /) -> list[A]: ...

    @overload
    def of_type(self, kind: type[A], other: type[B], /) -> list[A | B]: ...

    @overload
    def of_type(self, kind: type[A], other: type[B], third: type[C], /) -> list[A | B | C]: ...

    @overload
    def of_type(self, kind: type[A], other: type[B], third: type[C], fourth: type[D], /) -> list[A | B | C | D]: ...

    @overload
    def of_type(self, /, *kinds: type[ast.AST]) -> list[ast.AST]: ...

    def of_type(self, /, *kinds: type[ast.AST]) -> Sequence[ast.AST]:
        """The nodes of some concrete types, in source order. Do not change the list: it is kept."""
        if kinds not in self._of_types:
            self._of_types[kinds] = [self.nodes[place] for place in self._places_of(kinds)]
        return self._of_types[kinds]

    @overload
    def that_run(self, statements: Iterable[ast.AST], kind: type[A], /) -> list[A]: ...

    @overload
    def that_run(self, statements: Iterable[ast.AST], kind: type[A], other: type[B], /) -> list[A | B]: ...

    @overload
    def that_run(self, statements: Iterable[ast.AST], /, *kinds: type[ast.AST]) -> list[ast.AST]: ...

    def that_run(self, statements: Iterable[ast.AST], /, *kinds: type[ast.AST]) -> Sequence[ast.AST]:
        """The nodes of some concrete types that run with the statements: those of `walk_block`, which looks at all."""
        places = self._places_of(kinds)
        found: list[ast.AST] = []
        for first, behind in self._ranges(statements):
            found += [self.nodes[place] for place in places[bisect_left(places, first) : bisect_left(places, behind)]]
        return found

    def inside(self, node: ast.AST, kind: type[A], other: type[B]) -> list[A | B]:
        """The nodes of two concrete types in a node, itself and those in functions within included, in source order."""
        places = self._places_of((kind, other))
        first, behind = bisect_left(places, self.order[node]), bisect_left(places, self._behind(node))
        return [cast("A | B", self.nodes[place]) for place in places[first:behind]]

    def _ranges(self, statements: Iterable[ast.AST]) -> Iterator[tuple[int, int]]:
        """Where the nodes stand among all that run with the statements."""
        apart = self._places_of(FUNCTIONS_AND_CLASSES)
        for statement in statements:
            first, behind = self.order[statement], self._behind(statement)
            at = bisect_left(apart, first)
            while at < len(apart) and apart[at] < behind:
                yield first, apart[at] + 1
                first = self._behind(self.nodes[apart[at]])
                at = bisect_left(apart, first)
            yield first, behind

    @cached_property
    def order(self) -> dict[ast.AST, int]:
        """The place of each node among all: those in a node stand right behind it."""
        return {node: place for place, node in enumerate(self.nodes)}

    def _behind(self, node: ast.AST) -> int:
        """The place behind the last node in a node."""
        while children := self.children[node]:
            node = children[-1]
        return self.order[node] + 1

    def _places_of(self, kinds: tuple[type[ast.AST], ...]) -> list[int]:
        """Where the nodes of some types stand among all, in order."""
        if kinds not in self._of_kinds:
            places = [place for kind in kinds for place in self._places.get(kind, ())]
            self._of_kinds[kinds] = sorted(places) if len(kinds) > 1 else places
        return self._of_kinds[kinds]

    @cached_property
    def _places(self) -> dict[type[ast.AST], list[int]]:
        """Where the nodes of each type stand among all."""
        found: dict[type[ast.AST], list[int]] = {}
        for place, kind in enumerate(map(type, self.nodes)):
            if kind in found:
                found[kind].append(place)
            else:
                found[kind] = [place]
        return found

    @cached_property
    def calls(self) -> list[ast.Call]:
        """Every call, in source order."""
        return self.of_type(ast.Call)

    @cached_property
    def attributes(self) -> dict[str, list[ast.Attribute]]:
        """The attributes that are read, set or deleted, by their name, in source order."""
        found: dict[str, list[ast.Attribute]] = {}
        for node in self.of_type(ast.Attribute):
            found.setdefault(node.attr, []).append(node)
        return found

    @cached_property
    def named(self) -> dict[str, list[ast.Name]]:
        """The names, wherever they are read, set or deleted, by their text, in source order."""
        found: dict[str, list[ast.Name]] = {}
        for node in self.of_type(ast.Name):
            found.setdefault(node.id, []).append(node)
        return found

    # -- positions -------------------------------------------------------------------------------------

    @property
    def line_count(self) -> int:
        """How many lines the text has; a final newline starts no line of its own."""
        return len(self._starts) - (self._starts[-1] == len(self.text) and len(self._starts) > 1)

    def line_start(self, line: int) -> int:
        """Offset of the first character of a line (lines count from 1)."""
        return self._starts[line - 1]

    def line_end(self, line: int) -> int:
        """Offset behind a line's newline (or of the end of the text)."""
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def offset(self, line: int, column: int) -> int:
        """Character offset of a position as `ast` gives it: line from 1, column in UTF-8 bytes."""
        start = self._starts[line - 1]
        content = self.text[start : self.line_end(line)]
        if content.isascii():
            return start + column
        return start + len(content.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass"))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, in characters."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, node: ast.AST) -> Span:
        """The text range of an expression or a statement (decorators included)."""
        assert isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias | ast.excepthandler)
        line, column = node.lineno, node.col_offset
        decorators = getattr(node, "decorator_list", [])
        if decorators:
            line = decorators[0].lineno
            # The "@" stands at the column of the def itself, and above its expression in `@(⏎ expression)`.
            while not self.text[self.line_start(line) : self.line_end(line)].lstrip().startswith("@"):
                line -= 1
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return Span(self.offset(line, column), self.offset(node.end_lineno, node.end_col_offset))

    def segment(self, node: ast.AST) -> str:
        """The text of an expression or a statement; an equal one, where its place is not known."""
        if node in self._unplaced:
            return ast.unparse(node)
        span = self.span(node)
        return self.text[span.start : span.end]

    def is_placed(self, node: ast.AST) -> bool:
        """Whether the position of a node is exact: only a few in f-strings are not, before Python 3.12."""
        return node not in self._unplaced

    def is_shown(self, node: ast.AST) -> bool:
        """Whether the text of a node is printed as it is written, as that of ``x`` in ``f"{x=}"``."""
        return node in self._shown

    @cached_property
    def _shown(self) -> frozenset[ast.AST]:
        fields = (field for field in self.of_type(ast.FormattedValue) if self.is_placed(field.value))
        shown = [f.value for f in fields if _SHOWING.match(self.text, self.span(f.value).end)]
        return frozenset(n for value in shown for n in self.nodes[self.order[value] : self._behind(value)])

    def fstring(self, node: ast.AST) -> ast.JoinedStr | None:
        """The outermost f-string around a node."""
        strings = [parent for parent in self.ancestors(node) if isinstance(parent, ast.JoinedStr)]
        return strings[-1] if strings else None

    # -- structure -------------------------------------------------------------------------------------

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The parents of a node, innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def are_alternatives(self, first: ast.AST, second: ast.AST) -> bool:
        """Whether two nodes stand in the two branches of one condition."""
        around = [second, *self.ancestors(second)]
        child = first
        for parent in self.ancestors(first):
            if parent in around:
                other = around[around.index(parent) - 1]
                return isinstance(parent, ast.If) and (child in parent.orelse) != (other in parent.orelse)
            child = parent
        return False

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds a node (the node itself if it is one)."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def header(self, statement: ast.stmt) -> Span:
        """A statement without the statements in it: ``if test:`` of an ``if``; all of a simple statement."""
        span = self.span(statement)
        inner = (child for child in self.children[statement] if isinstance(child, ast.stmt | ast.excepthandler))
        first = next(inner, None)
        return Span(span.start, self.span(first).start) if first is not None else span

    def function(self, node: ast.AST) -> FunctionNode | None:
        """The innermost function around a node."""
        for parent in self.ancestors(node):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                return parent
        return None

    def function_of(self, parameter: ast.AST) -> FunctionNode | None:
        """The function that has a parameter; None for one of a lambda, and for what is no parameter."""
        arguments = self.parents.get(parameter)
        owner = self.parents[arguments] if isinstance(arguments, ast.arguments) else None
        return owner if isinstance(owner, FunctionNode) else None

    def returns(self, function: FunctionNode) -> list[ast.Return]:
        """The `return` statements of a function, in source order."""
        return self.that_run(function.body, ast.Return)

    def yields(self, function: FunctionNode) -> list[ast.Yield | ast.YieldFrom]:
        """What makes a function a generator, in source order."""
        return self.that_run(function.body, ast.Yield, ast.YieldFrom)

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose method (or body) holds a node; functions nested in a method count."""
        for parent in self.ancestors(node):
            if isinstance(parent, ast.ClassDef):
                return parent
        return None

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The list of statements that a statement is an element of."""
        parent = self.parents[statement]
        for _, value in ast.iter_fields(parent):
            if isinstance(value, list) and any(item is statement for item in value):
                return value
        raise AssertionError("a statement without a block")

    def place_in(self, block: Sequence[ast.stmt], node: ast.AST) -> int | None:
        """Which statement of a block a node belongs to; None where it lies outside."""
        around = {node, *self.ancestors(node)}
        return next((place for place, statement in enumerate(block) if statement in around), None)

    def is_in_annotation(self, node: ast.AST) -> bool:
        """Whether a node only says of which type something is: ``Scaler`` of ``scaler: Optional[Scaler] = None``."""
        child = node
        for parent in self.ancestors(node):
            if isinstance(parent, ast.arg | ast.AnnAssign) and child is parent.annotation:
                return True
            if isinstance(parent, ast.stmt):
                return isinstance(parent, FunctionNode) and child is parent.returns
            child = parent
        return False


def children(node: ast.AST) -> Sequence[ast.AST]:
    """`ast.iter_child_nodes` without operators and contexts; it is the analysis's innermost loop."""
    kind = type(node)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(name for name in node._fields if name not in _NO_CHILDREN)
    found: list[ast.AST] = []
    for name in _FIELDS[kind]:
        value = getattr(node, name, None)
        if type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)] if name in _MIXED else value
        elif isinstance(value, ast.AST):
            found.append(value)
    return found or ()


def dotted(node: ast.AST) -> str | None:
    """``a.b.c`` for a chain of plain attributes on a name, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def root_name(node: ast.expr) -> str | None:
    """``a`` of ``a.b[0]``, else None."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def last_name(node: ast.AST) -> str | None:
    """``name`` of ``name`` and of ``a.b.name``."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def names_in(*nodes: ast.AST) -> set[str]:
    """The names that occur."""
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


def indices(node: ast.Subscript) -> list[ast.expr]:
    """The elements of an index: ``0`` and ``:`` of ``x[0, :]``."""
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def imported_modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules that an import names, as they are written; an empty name for ``from . import x``."""
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]


def is_elif(module: Module, statement: ast.stmt) -> bool:
    """Whether an ``if`` is the ``elif`` of another one."""
    return module.text.startswith("elif", module.span(statement).start)


def walk_block(statements: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that run when the statements run: nested functions and classes are left out."""
    todo: list[ast.AST] = list(reversed(statements))
    while todo:
        node = todo.pop()
        yield node
        if type(node) not in FUNCTIONS_AND_CLASSES:
            todo.extend(reversed(children(node)))


FUNCTIONS_AND_CLASSES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
"""What has a body of its own, which runs at another time."""
