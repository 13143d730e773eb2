"""What ``convert`` and ``check`` have in common: what they are asked for, and the run itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from xlaport.errors import UserError
from xlaport.streams import STDIN

if TYPE_CHECKING:
    from xlaport.config import Config
    from xlaport.configuration.running import Asked
    from xlaport.result import RunResult
    from xlaport.work import Typed


def asked_for(
    select: str | None,
    ignore: str | None,
    extend_select: str | None,
    extend_ignore: str | None,
    exclude: list[str] | None,
    unsafe: bool | None,
    multi: bool | None,
    target: str | None,
    rules: list[str] | None,
    force_exclude: bool,
    isolated: bool,
) -> Asked:
    """What the options say that both commands have."""
    from xlaport.configuration.running import Asked

    return Asked(
        select=_codes(select),
        ignore=_codes(ignore),
        extend_select=_codes(extend_select) or (),
        extend_ignore=_codes(extend_ignore) or (),
        exclude=tuple(exclude) if exclude is not None else None,
        unsafe=unsafe,
        multi=multi,
        target=target,
        packs=tuple(rules or ()),
        force_exclude=force_exclude,
        isolated=isolated,
    )


def with_evidence(config: Config, file: Path | None) -> Config:
    """The same, with what a run has shown. Raises `UserError` where its file cannot be read, or is none."""
    from dataclasses import replace

    from xlaport.observed.record import read

    return replace(config, observed=read(file)) if file is not None else config


def _codes(text: str | None) -> tuple[str, ...] | None:
    """The codes of an option, in capitals; None where it is not given."""
    if text is None:
        return None
    return tuple(code.strip().upper() for code in text.split(",") if code.strip())


def typed_program(paths: list[Path], name: Path | None) -> Typed | None:
    """What came on standard input, where ``-`` is named. Raises `UserError` for ``-`` beside other paths."""
    from xlaport.work import Typed

    if STDIN not in paths:
        if name is not None:
            raise UserError("--stdin-filename says what standard input is called: name - as the path")
        return None
    if len(paths) > 1:
        raise UserError("- is standard input, and cannot be named beside other paths")
    if name is not None and name.suffix not in ("", ".py", ".pyi", ".pyw"):
        raise UserError(f"--stdin-filename {name}: standard input is read as Python; name other files as paths")
    return Typed(name or STDIN, sys.stdin.buffer.read())


def run_over(paths: list[Path], config: Config, jobs: int | None, no_cache: bool, typed: Typed | None) -> RunResult:
    """Convert in memory, with a line that shows how far it is, and what earlier runs have left."""
    from xlaport import run
    from xlaport.observed.record import NOTHING_OBSERVED
    from xlaport.progress import Progress
    from xlaport.workers import cores

    no_cache = no_cache or bool(os.environ.get("XLAPORT_NO_CACHE")) or typed is not None
    kept = None
    if not no_cache:
        from xlaport.caching import store  # with SQLite

        kept = store.Store(store.folder())
    with Progress() as progress:
        found = run.convert(paths, config, run.Effort(jobs or cores(), kept, progress), typed)
    if config.observed is not NOTHING_OBSERVED and not any(config.observed.knows(file.before) for file in found.files):
        raise UserError(
            "--evidence: no file here has the text that ran; write it anew with  xlaport port --save-evidence"
        )
    return found
