"""A whole run, kept: its results count as long as its files, its settings and all that it read are as they were."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from xlaport import registry
from xlaport.caching.evidence import Evidence, Seen, run_key
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
        self._key = run_key(settings, registry.places(config.packs), self._contents())

    def _contents(self) -> list[tuple[str, bytes]]:
        reading = self._reading
        found = []
        for path, data in reading.data.items():
            notebook = reading.notebooks.get(path)
            whole = data if notebook is None else notebook.source.text.encode("utf-8", "surrogatepass")
            found.append((str(path), whole))
        return found

    def done(self) -> Done | None:
        """The results; None where they have to be worked out."""
        kept = self._store.get(self._key)
        if kept is None:
            return None
        try:
            found = pickle.loads(kept)
        except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, ValueError, TypeError):
            return None
        if not isinstance(found, _Kept) or not found.evidence.holds():
            return None
        self._store.touch(self._key)
        try:
            return replace(found.done, files=tuple(self._whole(file, found.after) for file in found.done.files))
        except UserError:
            return None

    def keep(self, done: Done, seen: Sequence[Seen]) -> None:
        """Leave the results for later runs, without the texts that these read themselves."""
        after = {file.path: file.after for file in done.files if file.changed}
        slim = replace(done, files=tuple(replace(file, before="", after="") for file in done.files))
        self._store.put(self._key, pickle.dumps(_Kept(Evidence.of(seen), slim, after)))

    def _whole(self, file: FileResult, after: Mapping[Path, str]) -> FileResult:
        """A result with its texts."""
        text = self._reading.text(file.path)
        return replace(file, before=text, after=after.get(file.path, text))


@dataclass(frozen=True)
class _Kept:
    """What is kept of a run."""

    evidence: Evidence
    done: Done
    """Its files without texts."""
    after: Mapping[Path, str]
    """The new texts of those that change."""
