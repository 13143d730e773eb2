"""Which files of a project import which, by their texts alone: no file is parsed for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from xlaport.facts.packages import Outline, Packages, listed, may_be_bound, outline


class Texts:
    """The bytes of files, read when first asked for, and what they import."""

    def __init__(self, known: Mapping[str, bytes | None], read: Callable[[str], bytes | None]) -> None:
        """`read` gives None for a file that cannot be read."""
        self._data = dict(known)
        self._read = read
        self._outlines: dict[str, Outline] = {}
        self._bound: dict[str, frozenset[str]] = {}
        self._listed: dict[str, frozenset[str] | None] = {}

    def data(self, file: str) -> bytes:
        """The bytes of a file; empty where it cannot be read."""
        if file not in self._data:
            self._data[file] = self._read(file)
        return self._data[file] or b""

    def known(self) -> Mapping[str, bytes | None]:
        """All that was read so far."""
        return self._data

    def outline(self, file: str) -> Outline:
        """What a file's text imports."""
        if file not in self._outlines:
            self._outlines[file] = outline(self.data(file))
        return self._outlines[file]

    def lists(self, file: str, name: str) -> bool:
        """Whether ``import *`` of a file may bring a name, by its `__all__`, if it has one."""
        if file not in self._listed:
            self._listed[file] = listed(self.data(file))
        names = self._listed[file]
        return names is None or name in names

    def may_bind(self, file: str, name: str) -> bool:
        """Whether a file may bind a name at its top level, by its text."""
        if file not in self._bound:
            if name.encode("utf-8", "surrogatepass") not in self.data(file):
                return False
            self._bound[file] = may_be_bound(self.data(file))
        return name in self._bound[file] or name in self.outline(file).bound


class ImportGraph:
    """The imports between the files of a run and those around it."""

    def __init__(
        self,
        files: tuple[str, ...],
        packages: Packages,
        texts: Texts,
        around: Callable[[Packages], Iterable[str]] = lambda packages: (),
    ) -> None:
        """`around` gives other files of the project, any of which may import those of the run."""
        self.files = files
        self.packages = packages
        self.texts = texts
        self._around = around
        self._taken: dict[str, dict[str, list[tuple[tuple[str, ...], str]]]] = {}
        self._imported: dict[str, tuple[str, ...]] = {}
        self._users: dict[tuple[str, str], list[str]] = {}

    @cached_property
    def imports(self) -> dict[str, tuple[str, ...]]:
        """For each file of the run, and those around that may share names with it: the files that it imports.

        Around are what the files of the run import, what imports either of them, and what that imports, by the texts.
        """
        known = dict.fromkeys(self.files)
        for importers in (self.files, self._importers([*self.files, *self._imported_by_any(self.files)])):
            known |= dict.fromkeys([*importers, *self._imported_by_any(importers)])
        return {file: tuple(other for other in self.imported(file) if other in known) for file in known}

    def _imported_by_any(self, files: Iterable[str]) -> list[str]:
        return sorted({imported for file in files for imported in self.imported(file)})

    def _importers(self, files: Iterable[str]) -> list[str]:
        """The files around the run that import one of some files, or another importer."""
        found: list[str] = []
        new = list(files)
        known = set(new)
        around = [file for file in self._around(self.packages) if file not in known]
        while new and around:
            words = {self.packages.module(file).rpartition(".")[2].encode("utf-8", "surrogatepass") for file in new}
            speaking = [file for file in around if any(word in self.texts.data(file) for word in words)]
            new = [file for file in speaking if not known.isdisjoint(self.imported(file))]
            around = [file for file in around if file not in new]
            known.update(new)
            found += new
        return found

    def imported(self, file: str) -> tuple[str, ...]:
        """The files that a file imports, wherever they are."""
        if file not in self._imported:
            imports = self.texts.outline(file).imports
            places = (self.packages.locate(file, name.removesuffix("*")) for name, _ in imports)
            found = dict.fromkeys(place[0] for place in places if place is not None and place[0] != file)
            self._imported[file] = tuple(found)
        return self._imported[file]

    @cached_property
    def imported_by(self) -> dict[str, tuple[str, ...]]:
        """For each file, the files that import it."""
        found: dict[str, list[str]] = {}
        for file, others in self.imports.items():
            for other in others:
                found.setdefault(other, []).append(file)
        return {file: tuple(others) for file, others in found.items()}

    def users(self, file: str, name: str) -> list[str]:
        """The files that may use a top-level name of a file: they import it, maybe from another that passes it on."""
        key = file, name
        if key not in self._users:
            found: dict[str, None] = {}
            seen = {key}
            todo = [key]
            while todo:
                current, wanted = todo.pop()
                for other in self.imported_by.get(current, ()):
                    for known_as in self.taken(other, current, wanted):
                        found[other] = None
                        if (other, known_as) not in seen:
                            seen.add((other, known_as))
                            todo.append((other, known_as))
            found.pop(file, None)
            self._users[key] = sorted(found)
        return self._users[key]

    def taken(self, file: str, other: str, name: str) -> set[str]:
        """What a file calls a name that it may take from another one; the name itself, where it takes the module."""
        found: set[str] = set()
        for rest, known_as in self._places(file).get(other, ()):
            if rest and rest[0] == name:
                found.add(known_as)
            elif rest == ("*",) or (not rest and name.encode("utf-8", "surrogatepass") in self.texts.data(file)):
                found.add(name)
        return found

    def _places(self, file: str) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """What a file imports, by the file that it is from: the names behind the module, and what it is called."""
        if file not in self._taken:
            found = self._taken[file] = {}
            for imported, known_as in self.texts.outline(file).imports:
                place = self.packages.locate(file, imported)
                if place is not None:
                    found.setdefault(place[0], []).append((place[1], known_as))
        return self._taken[file]

    def connected(self, starts: Iterable[str]) -> set[str]:
        """The files that import one of `starts`, or are imported by it, at any distance."""
        starts = set(starts)
        together = (group for group in self._together if not group.isdisjoint(starts))
        return starts.union(*together)

    @cached_property
    def _together(self) -> list[set[str]]:
        """The files that are connected by imports, as groups without a common file."""
        both = {
            file: (*self.imports.get(file, ()), *self.imported_by.get(file, ()))
            for file in dict.fromkeys([*self.imports, *self.imported_by])
        }
        groups: list[set[str]] = []
        grouped: set[str] = set()
        for file in both:
            if file not in grouped:
                groups.append(reached([file], both))
                grouped |= groups[-1]
        return groups


def reached(starts: Iterable[str], edges: Mapping[str, Iterable[str]]) -> set[str]:
    """The files that edges lead to from some files, at any distance, and these themselves."""
    found = set(starts)
    todo = list(found)
    while todo:
        for other in edges.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found
