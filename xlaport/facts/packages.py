"""Which file an import leads to, from the names of files and folders alone, and what a file's text imports.

A file's own folder, the folder above its package, and the folders above that (with their ``src``) are searched,
up to the top of the project: what Python finds when a script of the project runs or the project is installed. Then come
the folders that a file beside it, or in a folder above, adds by itself: ``sys.path.insert(0, "lib")``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

_TOPS = frozenset({".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg"})
"""What lies in the top folder of a project."""
_MAX_ABOVE = 8
_FOREIGN = frozenset({"torch", "torch_xla", "torchvision", "torchaudio", "numpy"})
"""Never the user's own, whatever folders are called."""

_IMPORT = re.compile(  # begins with a character, which is searched for many times as fast as `^`
    rb"\n[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|(?:[^\n\\#]|\\\r?\n)*)"
    rb"|import[ \t]+((?:[^\n\\#]|\\\r?\n)*))",
)
_ALIASED = re.compile(rb"=[ \t]*[A-Za-z_][\w.]*[ \t]*(?:#[^\n]*)?\r?(?=\n|\Z)")
_ALIAS = re.compile(rb"[ \t]*(\w+)(?:[ \t]*:[^=\n]*)?[ \t]*")
"""What stands before that in its line."""
_LISTED = re.compile(
    rb"\n__all__[ \t]*=[ \t]*[\[(]((?:[\s,]|#[^\n]*|\"\w+\"|'\w+')*)[\])][ \t]*(?:#[^\n]*)?\r?(?=\n|\Z)"
)
_BLOCK = re.compile(rb"^[^\s#][^\n]*(?:\n(?:[ \t\f#][^\n]*|\r?$))*", re.MULTILINE)
_DEFINITION = re.compile(rb"(?:async[ \t]+def|def|class)[ \t]+([\w\x80-\xff]+)")
_TARGETS = re.compile(
    rb"^([^=\n]+)=(?!=)"
    rb"|^[ \t]*[(\[]([^)\]]*)[)\]][ \t]*="
    rb"|\b(?:as|for|def|class|case|import)\b([^\n]*)"
    rb"|(\w+)[ \t]*:=",
    re.MULTILINE,
)
"""What may bind a name at the top level, and more: all that stands before a ``=``, or behind one of these words."""
_GLOBAL = re.compile(rb"\bglobal[ \t]+([^\n#;]+)")
_WORD = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_COMMENT = re.compile(rb"#[^\n]*")
_QUOTED = re.compile(r"\w+")


@dataclass(frozen=True)
class Outline:
    """What a file's text seems to import, at the cost of a search: too much rather than too little."""

    imports: tuple[tuple[str, str], ...]
    """Dotted names (``from a import b`` is ``a.b``, a relative import starts with dots), and what they are called."""
    bound: frozenset[str]
    """Names that imports bind, or that stand for another name."""

    @property
    def has_star(self) -> bool:
        """Whether everything of some module is imported."""
        return "*" in self.bound


def outline(data: bytes) -> Outline:
    """The imports in a file's text. Those in strings are taken for imports, too: they do no harm."""
    imports: dict[tuple[str, str], None] = {}
    bound: set[str] = set()
    for match in _IMPORT.finditer(b"\n" + data):
        module, names, plain = match.groups()
        if module is not None:
            base = module.decode("ascii", "ignore")
            for name, known_as in _clauses(names):
                imports[base + name if base.endswith(".") else f"{base}.{name}", known_as] = None
                bound.add(known_as)
        else:
            for name, known_as in _clauses(plain):
                imports[name, known_as.partition(".")[0]] = None
                bound.add(known_as.partition(".")[0])
    for match in _ALIASED.finditer(data):
        before = _ALIAS.fullmatch(data, data.rfind(b"\n", 0, match.start()) + 1, match.start())
        if before is not None:
            bound.add(before[1].decode("ascii", "ignore"))
    return Outline(tuple(imports), frozenset(bound))


def may_be_bound(data: bytes) -> frozenset[str]:
    """The names that a file's text may bind at its top level, apart from imports; no others are bound.

    The words of what begins in the first column, up to the next line that does, without bodies of definitions.

    A line of a text in several lines may begin there, too; then the words behind it count, which does no harm, or
    those up to the next line, which are the text's own. Of the rest, words count that something may bind.
    """
    found: set[bytes] = set()
    for block in _BLOCK.findall(data):
        defined = _DEFINITION.match(block)
        if defined is not None:
            found.add(defined[1])
        else:
            for targets in _TARGETS.findall(block):
                for words in targets:
                    found.update(_WORD.findall(words))
    for words in _GLOBAL.findall(data) if b"global" in data else ():
        found.update(_WORD.findall(words))
    return frozenset(word.decode("utf-8", "replace") for word in found)


def listed(data: bytes) -> frozenset[str] | None:
    """The names in the `__all__` of a file, which are all that ``import *`` brings; None without a plain one."""
    found = _LISTED.search(b"\n" + data) if data.count(b"__all__") == 1 else None
    return None if found is None else frozenset(_QUOTED.findall(_COMMENT.sub(b"", found[1]).decode("ascii", "ignore")))


def _clauses(text: bytes) -> list[tuple[str, str]]:
    """``a as b, c``: the names and what they are called here."""
    found = []
    for clause in _COMMENT.sub(b"", text).replace(b"\\", b" ").strip(b"() \t\r\n").split(b","):
        words = clause.decode("ascii", "ignore").split()
        if len(words) in (1, 3) and (len(words) == 1 or words[1] == "as"):
            found.append((words[0], words[-1]))
    return found


class Packages:
    """Finds the files that dotted names stand for. What it has looked up on disk, it remembers."""

    def __init__(
        self,
        files: Iterable[str],
        tops: Iterable[str] = (),
        adding: Callable[[], Iterable[tuple[str, str]]] = tuple,
    ) -> None:
        """`files`: the true paths of the files of the run. `tops`: folders that count as the top of a project.

        `adding`: the files that add folders to ``sys.path``, each with a folder as its text spells it out.
        """
        self._adding = adding
        self._added: dict[str, dict[str, None]] | None = None
        self._tops = frozenset(tops)
        self._entries: dict[str, frozenset[str]] = {}
        self._known: dict[str, set[str]] = {}
        for file in files:
            folder, name = os.path.split(file)
            while name and name not in self._known.setdefault(folder, set()):
                self._known[folder].add(name)
                folder, name = os.path.split(folder)
        self._roots: dict[str, tuple[str, ...]] = {}
        self._highest: dict[str, str] = {}
        self._holders: dict[tuple[str, str], tuple[str, ...]] = {}

    def locate(self, file: str, dotted: str) -> tuple[str, tuple[str, ...]] | None:
        """The file of the longest part of a dotted name that is a module, and the rest; None outside the project."""
        folder = os.path.dirname(file)
        name = dotted.lstrip(".")
        parts = name.split(".") if name else []
        level = len(dotted) - len(name)
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            found = self._below(folder, parts)
            if found is None and "__init__.py" in self._listing(folder):
                found = os.path.join(folder, "__init__.py"), tuple(parts)
            return found
        itself = None
        for holder in self._search_path(folder, parts[0]) if parts else ():
            found = self._below(holder, parts)
            if found is not None and (found[0] != file or not found[1]):
                return found
            # `from data.images import load` in data/data.py means the folder, whose file it is itself.
            itself = itself or found
        return itself

    def package_of(self, file: str) -> tuple[str | None, str]:
        """The ``__init__.py`` of the package that a module is in, and what it is called there."""
        folder, base = os.path.split(file)
        name = base.removesuffix(".py")
        if base == "__init__.py":
            folder, name = os.path.split(folder)
        init = os.path.join(folder, "__init__.py")
        return (init if "__init__.py" in self._listing(folder) and init != file else None), name

    def top(self, file: str) -> tuple[str, bool]:
        """The top folder of a file's project, or of its package alone; and whether it is a project's."""
        folder = os.path.dirname(file)
        self._roots_of(folder)
        return self._highest[folder], self._is_top(self._highest[folder])

    def module(self, file: str) -> str:
        """What a file is called by an import: its package's name and its own."""
        folder, name = os.path.split(file)
        parts = [] if name == "__init__.py" else [name.removesuffix(".py")]
        while "__init__.py" in self._listing(folder) and os.path.dirname(folder) != folder:
            parts.insert(0, os.path.basename(folder))
            folder = os.path.dirname(folder)
        return ".".join(parts)

    def listed(self) -> Mapping[str, frozenset[str]]:
        """The folders that were looked into so far, with what they have."""
        return self._entries

    def _below(self, folder: str, parts: list[str]) -> tuple[str, tuple[str, ...]] | None:
        found = None
        for index, part in enumerate(parts):
            entries = self._listing(folder)
            inner = os.path.join(folder, part)
            rest = tuple(parts[index + 1 :])
            if part in entries and "__init__.py" in self._listing(inner):
                found = os.path.join(inner, "__init__.py"), rest
            elif f"{part}.py" in entries:
                return inner + ".py", rest
            elif part not in entries:
                break
            folder = inner
        return found

    def _search_path(self, folder: str, top: str) -> tuple[str, ...]:
        """The folders in which a file of `folder` may find the module or package `top`, in Python's order."""
        key = folder, top
        if key not in self._holders:
            roots = () if top in _FOREIGN else self._roots_of(folder)
            if top in sys.stdlib_module_names and "__init__.py" in self._listing(folder):
                roots = tuple(root for root in roots if root != folder)  # in a package, `random` is Python's own
            found = tuple(r for r in roots if {top, f"{top}.py"} & self._listing(r))
            if not found and roots and top not in sys.stdlib_module_names:
                found = tuple(r for r in self._added_to(folder) if {top, f"{top}.py"} & self._listing(r))
            self._holders[key] = found
        return self._holders[key]

    def _added_to(self, folder: str) -> Iterable[str]:
        """The folders of the run that files put on ``sys.path``, in a folder or one above it."""
        if self._added is None:
            self._added = {}
            for file, added in self._adding():
                # One that is relative is so to the folder where the program runs: its own, or the top of the project.
                own = os.path.dirname(file)
                places = (os.path.normpath(os.path.join(base, added)) for base in (own, self.top(file)[0]))
                self._added.setdefault(own, {}).update(dict.fromkeys(p for p in places if p in self._known))
        around = [folder]
        while os.path.dirname(around[-1]) != around[-1]:
            around.append(os.path.dirname(around[-1]))
        return [added for above in around if above in self._added for added in self._added[above]]

    def _roots_of(self, folder: str) -> tuple[str, ...]:
        if folder not in self._roots:
            top = folder
            while "__init__.py" in self._listing(top) and os.path.dirname(top) != top:
                top = os.path.dirname(top)
            roots = [top]
            while (above := self._above(roots[-1])) is not None:
                roots.append(above)
            self._highest[folder] = roots[-1]
            roots += [os.path.join(root, "src") for root in roots if "src" in self._listing(root)]
            self._roots[folder] = tuple(dict.fromkeys([*roots, folder]))
        return self._roots[folder]

    def _above(self, folder: str) -> str | None:
        """The folder above, if it belongs to the same project."""
        inner, above = folder, os.path.dirname(folder)
        if self._is_top(folder):
            return None
        for _ in range(_MAX_ABOVE):
            if above == inner:
                return None
            if self._is_top(above):
                return os.path.dirname(folder)
            inner, above = above, os.path.dirname(above)
        return None

    def _is_top(self, folder: str) -> bool:
        return folder in self._tops or not _TOPS.isdisjoint(self._listing(folder))

    def _listing(self, folder: str) -> frozenset[str]:
        if folder not in self._entries:
            self._entries[folder] = frozenset(_on_disk(folder)) | self._known.get(folder, set())
        return self._entries[folder]


def _on_disk(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
