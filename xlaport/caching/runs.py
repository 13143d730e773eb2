"""A whole run, kept: its results count as long as its files, its settings and all that it read are as they were.

Where files have changed in nothing but comments and layout, the results of the others count still.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from xlaport import project, registry
from xlaport.caching.evidence import Evidence, Seen, digest, run_key
from xlaport.caching.meaning import Asked, asked_of, is_same_code
from xlaport.config import Config
from xlaport.errors import UserError
from xlaport.facts.packages import Packages
from xlaport.result import FileError, FileResult
from xlaport.work import Reading

if TYPE_CHECKING:
    from xlaport.caching.store import Store


@dataclass(frozen=True)
class Done:
    """What came of the Python files and notebooks of a run."""

    files: tuple[FileResult, ...]
    errors: tuple[FileError, ...]
    parsed: int
    """How many were analysed."""


class Remembered:
    """What an earlier run over the same files has left, if anything."""

    def __init__(self, store: Store, reading: Reading, config: Config) -> None:
        self._store = store
        self._reading = reading
        around = reading.around(Packages(reading.files, reading.tops))
        settings = repr((config, reading.tops, sorted(map(str, reading.found.files)), around))
        self._contents = dict(self._read())
        self._key = run_key(settings, registry.places(config.packs))

    def _read(self) -> Sequence[tuple[Path, bytes]]:
        reading = self._reading
        found = []
        for path, data in reading.data.items():
            notebook = reading.notebooks.get(path)
            whole = data if notebook is None else notebook.source.text.encode("utf-8", "surrogatepass")
            found.append((path, whole))
        return found

    def standing(self) -> Standing:
        """What counts still of the last run over these files."""
        kept = self._store.get(self._key)
        if kept is None:
            return NOTHING
        try:
            found = pickle.loads(kept)
        except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError, TypeError):
            return NOTHING
        if not isinstance(found, _Kept) or found.digests.keys() != self._contents.keys():
            return NOTHING
        changed = [path for path, data in self._contents.items() if digest(data) != found.digests[path]]
        if not found.evidence.holds() or not all(self._means_the_same(path, found) for path in changed):
            return NOTHING
        names = {path.name for path in changed}
        anew = {*changed, *(file.path for file in found.done.files if _speaks_of(file, names))}
        try:
            files = tuple(self._whole(file, found.after) for file in found.done.files if file.path not in anew)
        except UserError:
            return NOTHING
        shown = {project.display_path(path) for path in anew}
        errors = tuple(error for error in found.done.errors if error.path not in shown)
        self._store.touch(self._key)
        done = Done(files, errors, found.done.parsed)
        return Standing(done, frozenset(self._contents.keys() - anew), found)

    def _means_the_same(self, path: Path, kept: _Kept) -> bool:
        if path in self._reading.notebooks:
            return False  # rules ask it like any other file
        return is_same_code(zlib.decompress(kept.texts[path]), self._contents[path], kept.asked)

    def keep(self, done: Done, seen: Sequence[Seen], standing: Standing) -> None:
        """Leave the results for later runs, without the texts that these read themselves.

        `seen`: what was read for them, beside what stood before.
        """
        after = {file.path: file.after for file in done.files if file.changed}
        slim = replace(done, files=tuple(replace(file, before="", after="") for file in done.files))
        digests = {path: digest(data) for path, data in self._contents.items()}
        before = standing.kept
        texts = {
            path: before.texts[path]
            if before is not None and before.digests[path] == digests[path]
            else zlib.compress(data, 1)
            for path, data in self._contents.items()
        }
        evidence = Evidence.of([*([before.evidence] if before is not None else []), *seen])
        asked = before.asked if before is not None else asked_of(self._contents.values())
        self._store.put(self._key, pickle.dumps(_Kept(evidence, slim, after, digests, texts, asked)))

    def _whole(self, file: FileResult, after: Mapping[Path, str]) -> FileResult:
        """A result with its texts."""
        text = self._reading.text(file.path)
        return replace(file, before=text, after=after.get(file.path, text))


@dataclass(frozen=True)
class Standing:
    """What counts still of an earlier run."""

    done: Done
    files: frozenset[Path]
    """Those that need not be looked at again."""
    kept: _Kept | None = None
    """All of it."""


NOTHING = Standing(Done((), (), 0), frozenset())


def _speaks_of(file: FileResult, names: Collection[str]) -> bool:
    """Whether something that was found in a file names one of some others, whose lines may have moved."""
    texts = [text for f in (*file.findings, *file.possible) for text in (f.message, f.recipe, f.snippet, *f.notes)]
    return any(name in text for name in names for text in texts)


@dataclass(frozen=True)
class _Kept:
    """What is kept of a run."""

    evidence: Evidence
    done: Done
    """Its files without texts."""
    after: Mapping[Path, str]
    """The new texts of those that change."""
    digests: Mapping[Path, str]
    texts: Mapping[Path, bytes]
    """What the files were, compressed: to see whether one that has changed means the same."""
    asked: Asked
    """What is asked for in texts."""
