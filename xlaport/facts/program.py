"""The files of a project together: parsed when first asked for, and where the names lead that they import.

A `Program` is made once for a run, from the files as they are on disk. While one file is converted, its facts
change from round to round: `Program.View` shows the program with the new text of that file in place of the old.
"""

from __future__ import annotations

import ast
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from xlaport.facts import search_path
from xlaport.facts.import_graph import ImportGraph, Texts, reached
from xlaport.facts.module import Module
from xlaport.facts.names import Names, starred_module
from xlaport.facts.packages import Packages
from xlaport.facts.role import Role
from xlaport.observed.record import NOTHING_OBSERVED, Observations

_MAX_HOPS = 12
KEPT = 48_000_000
"""Characters of parsed source that are kept at a time, if nothing else is said (see `xlaport.memory`).

A file that is dropped takes all that was found out about it along: a tree that does not fit takes ten times as long.
"""
_LONE = "<alone>"
_ATTRIBUTE = re.compile(rb"\.[\s\\]*([A-Za-z_\x80-\xff][\w\x80-\xff]*)")

T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """Where a qualified name leads: a top-level name of a file of the project, and the attributes behind it."""

    file: str
    name: str | None
    """None: the module itself."""
    rest: tuple[str, ...] = ()


class Memo:
    """What is computed once, and kept as long as its owner."""

    def __init__(self) -> None:
        self._memo: dict[Hashable, object] = {}

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What `compute` gives, computed when it is first asked for."""
        if key not in self._memo:
            self._memo[key] = compute()
        return cast(T, self._memo[key])


class Facts(Memo):
    """One file of a program, as a view shows it. What else is known of it is kept here, with `once`."""

    def __init__(self, file: str, module: Module, program: Program, view: View | None = None) -> None:
        super().__init__()
        self.file = file
        self.module = module
        self.program = program
        self._view = view

    @property
    def view(self) -> View:
        """The program as this file sees it."""
        return self._view or self.program.as_found()

    @cached_property
    def names(self) -> Names:
        """Scopes, bindings and qualified names."""
        return Names(self.module, None if self.file == _LONE else _Elsewhere(self.program, self.file))

    @cached_property
    def loads(self) -> dict[str, list[ast.Attribute]]:
        """The attributes that are read, by their name."""
        found = {
            name: [n for n in nodes if isinstance(n.ctx, ast.Load)] for name, nodes in self.module.attributes.items()
        }
        return {name: nodes for name, nodes in found.items() if nodes}

    @cached_property
    def references(self) -> dict[tuple[str, str], list[ast.expr]]:
        """The expressions that stand for top-level names of other files, by file and name."""
        found: dict[tuple[str, str], list[ast.expr]] = {}
        for node in self.module.of_type(ast.Name):
            if not isinstance(node.ctx, ast.Load):
                continue
            chain: list[ast.expr] = [node]
            while isinstance(parent := self.module.parents[chain[-1]], ast.Attribute):
                chain.append(parent)
            for spelled in self.names.spelled(chain[-1]):
                place = self.program.lead(self.file, spelled)
                if isinstance(place, Place) and place.name is not None and len(place.rest) < len(chain):
                    expression = chain[len(chain) - 1 - len(place.rest)]
                    found.setdefault((place.file, place.name), []).append(expression)
        return found


class Program(Memo):
    """The files of a run and their neighbours, by their true paths."""

    def __init__(
        self,
        files: Mapping[str, bytes] | None = None,
        tops: Iterable[str] = (),
        read: Callable[[str], bytes | None] = lambda file: None,
        parse: Callable[[str, bytes], Module | None] = lambda file, data: None,
        further: Mapping[str, Role] | None = None,
        around: Callable[[Packages], Iterable[str]] = lambda packages: (),
        kept: int = KEPT,
        observed: Observations = NOTHING_OBSERVED,
    ) -> None:
        """`files` are those of the run. `read` and `parse` give None for what cannot be read or parsed.

        `around` gives other files of the project, any of which may import those of the run. `kept`: how many
        characters of parsed source are kept at a time. `observed`: what a run of the program has shown.
        """
        super().__init__()
        self.observed = observed
        self.texts = Texts(dict(files or {}), read)
        self.files: tuple[str, ...] = tuple(sorted(files or {}))
        """The files of the run: what is found in them is reported, and they can be rewritten."""
        self.writable: frozenset[str] = frozenset(self.files)
        self.is_run = False
        """Whether they are a program that is run, and not some files of a project."""
        self.partly: frozenset[str] = frozenset()
        """Those that some of the rules of the run do not look at."""
        self.packages = Packages(self.files, tops, self._added_folders)
        self.graph = ImportGraph(self.files, self.packages, self.texts, around)
        self.further = further or {}
        self._parse = parse
        self._facts: OrderedDict[str, Facts] = OrderedDict()
        self.most_kept = kept
        """How many characters of parsed source are kept at a time."""
        self._kept = 0
        """The characters of the files in `_facts`."""
        self._unparsable: set[str] = set()
        self._given: dict[tuple[str, str], bool] = {}
        self._attributes: dict[str, frozenset[bytes]] = {}
        self._leads: dict[tuple[str, str], Place | str] = {}
        self.parsed = 0
        self.dropped = 0
        """How many parsed files did not fit any more, and were let go."""

    @cached_property
    def apart(self) -> frozenset[str]:
        """The files around a program that is run which it does not lead to: other scripts, with what these import.

        What goes together with them is changed without them.
        """
        imports = self.graph.imports if self.is_run else {}
        return frozenset(imports.keys() - reached(self.files, imports))

    # -- files -----------------------------------------------------------------------------------------

    def data(self, file: str) -> bytes:
        """The bytes of a file; empty where it cannot be read."""
        return self.texts.data(file)

    def says_attribute(self, file: str, name: str) -> bool:
        """Whether a name stands anywhere in a file's text, behind a dot."""
        if file not in self._attributes:  # thousands of names are asked for
            self._attributes[file] = frozenset(_ATTRIBUTE.findall(self.data(file)))
        return name.encode("utf-8", "surrogatepass") in self._attributes[file]

    def saying(self, pattern: re.Pattern[bytes], *words: bytes) -> frozenset[str]:
        """The files of the run whose text a pattern matches; where `words` are given, those with one of them.

        Words are found some ten times as fast as patterns.
        """
        return self.once(("saying", pattern), lambda: frozenset(self._saying(pattern, words)))

    def _saying(self, pattern: re.Pattern[bytes], words: tuple[bytes, ...]) -> Iterator[str]:
        for file in self.files:
            data = self.data(file)
            if (not words or any(word in data for word in words)) and pattern.search(data):
                yield file

    def facts(self, file: str) -> Facts | None:
        """The facts of a file as it is on disk; None where it cannot be parsed."""
        if file in self._facts:
            self._facts.move_to_end(file)
            return self._facts[file]
        if file in self._unparsable:
            return None
        module = self._parse(file, self.data(file))
        if module is None:
            self._unparsable.add(file)
            return None
        self.parsed += 1
        facts = self._facts[file] = Facts(file, module, self)
        self._kept += len(module.text)
        while self._kept > self.most_kept and len(self._facts) > 1:
            _, dropped = self._facts.popitem(last=False)
            self._kept -= len(dropped.module.text)
            self.dropped += 1
        return facts

    def _added_folders(self) -> Iterator[tuple[str, str]]:
        """The files of the run that put folders on ``sys.path``, with each of these."""
        for file in self.files:
            says = any(word in self.data(file) for word in search_path.SAYING)
            if says and (facts := self.facts(file)) is not None:
                yield from ((file, folder) for folder in search_path.added_folders(file, facts.module.tree))

    # -- names -----------------------------------------------------------------------------------------

    def lead(self, file: str, qualified: str) -> Place | str:
        """Where a name leads under which a file imports something; the name itself outside the project."""
        key = file, qualified
        if key not in self._leads:
            self._leads[key] = qualified
            self._leads[key] = self._lead(file, qualified, ())
        return self._leads[key]

    def _lead(self, file: str, qualified: str, hops: tuple[tuple[str, str], ...]) -> Place | str:
        located = self.packages.locate(file, qualified)
        if located is None:
            return qualified
        other, rest = located
        package, name = self.packages.package_of(other)
        if package is not None and (package, name) not in hops and not (rest and self._gives(other, rest[0])):
            # `from .torch import *` in a package leaves it with the `torch` that the module imports, not the module.
            outline = self.texts.outline(package)
            if (name in outline.bound or outline.has_star) and self._gives(package, name):
                return self._inside(package, (name, *rest), hops)
        return self._inside(other, rest, hops)

    def _inside(self, file: str, parts: tuple[str, ...], hops: tuple[tuple[str, str], ...]) -> Place | str:
        """Where the attributes of a module lead."""
        if not parts:
            return Place(file, None)
        name, rest = parts[0], parts[1:]
        here = Place(file, name, rest)
        if (file, name) in hops or len(hops) >= _MAX_HOPS:
            return here
        if name not in self.texts.outline(file).bound and not self.texts.outline(file).has_star:
            return here
        facts = self.facts(file)
        if facts is None:
            return here
        found = {
            self._lead(file, ".".join([spelled, *rest]), (*hops, (file, name)))
            for spelled in facts.names.spelled_at_top(name)
        }
        return found.pop() if len(found) == 1 else here

    def holds(self, file: str, module: str, name: str) -> bool:
        """Whether ``from module import *`` in a file binds a name."""
        given = self._starred(file, module, name)
        return given is not None and self._gives(given, name)

    def binds(self, file: str, module: str, name: str) -> bool:
        """The same, for the names that a module binds itself, without its own ``import *``."""
        given = self._starred(file, module, name)
        return given is not None and self._binds(given, name)

    def _starred(self, file: str, module: str, name: str) -> str | None:
        """The file whose names ``from module import *`` brings, if it may bring this one."""
        located = self.packages.locate(file, module) if not name.startswith("_") else None
        if located is None or located[1] or not self.texts.lists(located[0], name):
            return None
        return located[0]

    def _gives(self, file: str, name: str) -> bool:
        """Whether ``import *`` from a file brings a name, its own or one that it gets by ``import *`` itself."""
        key = file, name
        if key not in self._given:
            self._given[key] = False  # where files import each other, the first question answers
            self._given[key] = self._binds(file, name) or any(
                self.holds(file, starred_module(imported), name)
                for imported, _ in self.texts.outline(file).imports
                if imported.endswith("*")
            )
        return self._given[key]

    def _binds(self, file: str, name: str) -> bool:
        if not self.texts.may_bind(file, name):
            return False
        facts = self.facts(file)
        return facts is not None and name in facts.names.root.bindings

    def reexports(self, file: str, library: str) -> bool:
        """Whether a file gets something of a library's from another file of the project."""
        for imported, _ in self.texts.outline(file).imports:
            place = self.packages.locate(file, imported)
            if place is None or not self._may_hold(place[0], library):
                continue
            other, rest = place
            if rest == ("*",):
                return True
            names = sorted(self.texts.outline(other).bound) if not rest else rest[:1]
            for name in names:
                if rest or f".{name}".encode() in self.data(file):
                    found = self._inside(other, (name,), ())
                    if isinstance(found, str) and found.partition(".")[0] == library:
                        return True
        return False

    def _may_hold(self, file: str, library: str) -> bool:
        return any(library.encode() in self.data(f) for f in (file, *self.graph.imports.get(file, ())))

    def seen_from(self, file: str | None, module: Module) -> View:
        """The program with another text in the place of one of its files."""
        return View(self, file, module)

    def as_found(self) -> View:
        """The program as it is on disk."""
        return self.once("as found", lambda: View(self, None, Module("")))

    def used_elsewhere(self, file: str, names: Iterable[str]) -> set[str]:
        """Those of a file's top-level names that another file gets from it."""
        found: set[str] = set()
        for other in self.graph.imported_by.get(file, ()):
            for name in sorted(set(names) - found):
                if name.encode("utf-8", "surrogatepass") in self.data(other) and self._gets(other, file, name):
                    found.add(name)
        return found

    def is_own(self, file: str, spelled: Iterable[str]) -> bool:
        """Whether a file means something by a name that the project itself defines, or one of its modules."""
        return any(isinstance(self.lead(file, name), Place) for name in spelled)

    def _gets(self, other: str, file: str, name: str) -> bool:
        """Whether a file imports a name of another one, or gets it from the module that it imports."""
        places = [self.packages.locate(other, imported) for imported, _ in self.texts.outline(other).imports]
        rests = [place[1] for place in places if place is not None and place[0] == file]
        if any(rest and rest[0] in (name, "*") for rest in rests):
            return True
        facts = self.facts(other) if () in rests else None
        return facts is not None and any(
            isinstance(node, ast.Attribute)
            and node.attr == name
            and any(self.lead(other, spelled) == Place(file, None) for spelled in facts.names.spelled(node.value))
            for node in facts.module.nodes
        )


class View(Memo):
    """A program in which one file has the text that it has in this round of its conversion."""

    def __init__(self, program: Program, file: str | None, module: Module) -> None:
        super().__init__()
        self.program = program
        self.own = Facts(file if file is not None else _LONE, module, program, self)
        original = program.facts(file) if file is not None and file in program._facts else None
        if original is not None and original.module.text == module.text:
            self.own = original

    def facts(self, file: str) -> Facts | None:
        """The facts of a file."""
        return self.own if file == self.own.file else self.program.facts(file)

    @property
    def is_alone(self) -> bool:
        """Whether there are no other files."""
        return not self.program.files

    @property
    def importers(self) -> tuple[str, ...]:
        """The files that import this one."""
        return () if self.is_alone else self.program.graph.imported_by.get(self.own.file, ())


class _Elsewhere:
    """The program as seen from one of its files."""

    def __init__(self, program: Program, file: str) -> None:
        self._program = program
        self._file = file

    def leads_to(self, qualified: str) -> str:
        found = self._program.lead(self._file, qualified)
        if isinstance(found, str):
            return found
        parts = [self._program.packages.module(found.file), *([found.name] if found.name else []), *found.rest]
        return ".".join(parts)

    def holds(self, module: str, name: str) -> bool:
        return self._program.holds(self._file, module, name)

    def binds(self, module: str, name: str) -> bool:
        return self._program.binds(self._file, module, name)
