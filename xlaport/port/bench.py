"""Converts and runs in copies of the folder, so that the user's own is as it was."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from xlaport import run
from xlaport.observed.placing import carried
from xlaport.observed.record import NOTHING_OBSERVED
from xlaport.observed.watching import watched
from xlaport.port import notebooks
from xlaport.port.attempt import Attempt, Codes, Offer, place_of
from xlaport.port.original import original_stops
from xlaport.port.program import files_of
from xlaport.port.request import PortRequest
from xlaport.report.static_causes import Causes, look
from xlaport.result import FileResult, RunResult
from xlaport.targets.known import target
from xlaport.tpu.trying import Tpu
from xlaport.verify import Against, Recordings, Sandbox, Verdict, VerifyRequest, compared, judged
from xlaport.verify.originals import align
from xlaport.verify.request import CUDA
from xlaport.verify.sandbox import copy_of, in_copy, make_own, restored, restored_from_any
from xlaport.verify.verdict import Original, VerdictFinding
from xlaport.workers import cores

_PARITY, _TPU = "parity", "tpu-"
"""The kind of what a comparison finds, and how the kinds begin of what a compiler for TPUs does."""
_T = TypeVar("_T")


class FolderBench:
    """The conversions of a folder. Each run has a copy of its own: none resumes from what another has saved."""

    def __init__(
        self, request: PortRequest, recordings: Recordings, starting: Callable[[str], None] = lambda what: None
    ) -> None:
        """`recordings` holds those of the original, which may come from an earlier port. `starting` is told what runs
        next, in words: a run may take minutes.
        """
        self.request = request
        self.recordings = recordings
        self._starting = starting
        self._judged = 0
        self.observed = NOTHING_OBSERVED
        """What the first run has shown of the original's expressions: what rests on it is unsafe."""

    @property
    def runs(self) -> int:
        """How often the script has run so far, the original among them."""
        return self._judged + self.recordings.runs

    def offered(self) -> Offer:
        """What unsafe fixes there are here."""
        return Offer.of(self._converted(unsafe=True))

    def attempt(self, unsafe: Codes) -> Attempt:
        """A conversion with the unsafe fixes of some rules, run and judged; the first run is watched, too."""
        is_watched = not self.observed.script
        attempt, is_whole = self._attempt(unsafe, watching=is_watched)
        if original_stops(attempt.verdict, attempt.result, lambda: self._converted(unsafe=True)):
            return replace(attempt, original_stops=True)
        if not is_whole:
            attempt, _ = self._attempt(unsafe, watching=True)
        if is_watched and self.observed.hindered:
            attempt, _ = self._attempt(unsafe, watching=False)
        return attempt

    def _attempt(self, unsafe: Codes, *, watching: bool) -> tuple[Attempt, bool]:
        """The same, and whether all was ported that a run which was watched has imported."""
        result = self._converted(codes=unsafe)
        with self._copy_with(result) as copy:
            self._starting(f"run {self.runs + 1}: the port, {in_words(result)}")
            self._judged += 1
            asked = self._run(copy)
            verdict = self._watched(asked, copy, result) if watching else judged(asked)
            known = {file.path for file in result.files}
            more = self._converted(codes=unsafe).changed if watching and not self.observed.hindered else ()
            script = copy / self.request.inner / self._script
            observed = carried(self.observed, map(notebooks.texts, result.files))
            causes = look(verdict, None if self.request.module else script, observed)
            attempt = self._at_home(Attempt(unsafe, result, verdict, causes), copy)
            return attempt, all(file.path in known for file in more)

    def compared(self, attempt: Attempt) -> Attempt:
        """The same, compared with the original; where nothing trains, that is noted and decides nothing."""
        with self._copy_with(attempt.result) as copy, self._original() as original:
            asked = self._run(copy)
            place = "a GPU" if self.request.original_device == CUDA else "the CPU"
            both = "the port once more" if self.recordings.made else f"the original on {place}, and the port once more"
            self._starting(f"run {self.runs + 1}: {both}, to compare how they train")
            name = self.request.directory / ("" if self.request.module else self.request.script)
            against = Against(name, self.request.rtol, self.request.no_dropout, original, self.request.original_device)
            verdict = compared(attempt.verdict, asked, against, self.recordings)
            if verdict.parity is not None and verdict.parity.is_idle and verdict.parity.verdict == "error":
                said = tuple(_as_note(item) for item in verdict.findings)
                verdict = replace(verdict, verdict=attempt.verdict.verdict, findings=said)
            return self._at_home(replace(attempt, verdict=verdict), copy)

    def on_tpus(self, attempt: Attempt, tpu: Tpu) -> Attempt:
        """The same, with what TPUs would make of its graphs: it runs once more, and they are kept."""
        with self._copy_with(attempt.result) as copy:
            self._starting(f"run {self.runs + 1}: the port once more, for the graphs that a TPU is to run")
            self._judged += 1
            found = tpu.verified(self._run(copy), self._starting)
            said = tuple(item for item in found.findings if item.kind.startswith(_TPU))
            level = found.verdict if attempt.passes else attempt.verdict.verdict
            own = replace(
                attempt.verdict, verdict=level, chips=found.chips, findings=(*attempt.verdict.findings, *said)
            )
            whole = restored_from_any(own, self.request.folder)
            return self._at_home(replace(attempt, verdict=whole), copy)

    @contextlib.contextmanager
    def _copy_with(self, result: RunResult) -> Iterator[Path]:
        """A copy of the folder with a conversion in it."""
        with copy_of(self.request.folder, self.request.links) as copy:
            for file in result.files:
                make_own(copy, copy / self._place(file.path))
            run.write_into(result, self.request.folder, copy)
            if self._notebook is not None:
                notebooks.lay_beside(copy / self._notebook)
            yield copy

    @contextlib.contextmanager
    def _original(self) -> Iterator[Path]:
        """The folder in which the original runs; each run copies it."""
        if self._notebook is None:
            yield self.request.folder
            return
        with copy_of(self.request.folder, self.request.links) as copy:
            notebooks.lay_beside(copy / self._notebook)
            yield copy

    def _watched(self, asked: VerifyRequest, copy: Path, result: RunResult) -> Verdict:
        """The verdict on the run of a copy, which is watched."""
        files = [copy / self._place(Path(notebooks.script_of(file))) for file in self.files]
        with watched(copy, files, self.request.config) as watching:
            verdict = judged(replace(asked, environment=(*asked.environment, *watching.environment)))
            originals = {
                self._place(Path(notebooks.script_of(file.path))): notebooks.texts(file)[0] for file in result.files
            }
            self.observed = watching.observed(copy, str(self.request.script), verdict.steps, originals)
        return verdict

    def _place(self, file: Path) -> str:
        """Where a file is in the folder."""
        return os.path.relpath(os.path.realpath(file), self.request.folder)

    @property
    def _script(self) -> Path | str:
        """What is run: for a notebook, the script that stands for it in the copies."""
        return self.request.script if self.request.module else notebooks.script_of(self.request.script)

    @property
    def _notebook(self) -> Path | None:
        """The notebook that is ported, by its place in the folder."""
        return self.request.inner / self.request.script if self._script != self.request.script else None

    @cached_property
    def named(self) -> list[Path]:
        """What is ported as far as the code shows: what the script leads to by its imports."""
        return files_of(self.request)

    @property
    def files(self) -> list[Path]:
        """What is ported: also what the first run has imported by names that it made."""
        return files_of(self.request, self.observed.loaded) if self.observed.loaded else self.named

    def _converted(self, codes: Codes = frozenset(), *, unsafe: bool = False) -> RunResult:
        places = {choice: place for choice in sorted(codes) if (place := place_of(choice)) is not None}
        config = replace(
            self.request.config,
            unsafe=unsafe,
            unsafe_codes=tuple(sorted(codes - places.keys())),
            unsafe_places=tuple(places.values()),
            observed=self.observed,
            is_run=True,
        )
        return run.convert(self.files, config, run.Effort(cores()))

    def _run(self, copy: Path) -> VerifyRequest:
        request = self.request
        asked = VerifyRequest(
            script=self._script,
            arguments=request.arguments,
            module=request.module,
            steps=request.steps,
            timeout=request.timeout,
            python=request.python,
            directory=request.directory,
            environment=notebooks.SETTING if self._notebook is not None else (),
            budgets=request.budgets,
            target=target(request.config.target).package,
            sandbox=Sandbox(request.links, request.folder, request.room),
        )
        return in_copy(asked, request.folder, copy)

    def _at_home(self, attempt: Attempt, copy: Path) -> Attempt:
        """An attempt, with the paths of the copy as those of the folder, and the lines that the original has there."""
        verdict: Verdict = self._restored(attempt.verdict, copy)
        causes: Causes = self._restored(attempt.causes, copy)
        files = {os.path.realpath(file.path): file for file in attempt.result.files}
        findings = tuple(_with_original(item, files.get(item.path or "")) for item in verdict.findings)
        return replace(attempt, verdict=replace(verdict, findings=findings), causes=causes)

    def _restored(self, value: _T, copy: Path) -> _T:
        """With the paths of the folder; what stands for a notebook is told as that."""
        found = restored(value, copy, self.request.folder)
        if self._notebook is None:
            return found
        notebook = self.request.folder / self._notebook
        return restored(found, Path(notebooks.script_of(notebook)), notebook)


def in_words(result: RunResult) -> str:
    """How much of a conversion there is."""
    edits, files = sum(finding.fixed for finding in result.findings), len(result.changed)
    return f"{edits} edit{'s' * (edits != 1)} in {files} file{'s' * (files != 1)}"


def _with_original(item: VerdictFinding, file: FileResult | None) -> VerdictFinding:
    if file is None or item.line is None:
        return item
    before, after = notebooks.texts(file)
    places = align(before.splitlines(), after.splitlines())
    line, is_new = places[item.line - 1] if item.line <= len(places) else (0, False)
    return replace(item, original=Original(os.path.realpath(file.path), line, None, is_new)) if line else item


def _as_note(item: VerdictFinding) -> VerdictFinding:
    return replace(item, severity="note") if item.kind == _PARITY else item
