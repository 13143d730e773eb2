"""What `xlaport verify` does between its options and its exit code: judges, prints the verdicts, writes the reports."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from xlaport.report import verdict_json, verdict_text, verdicts
from xlaport.report.static_causes import look
from xlaport.report.verdict_files import VerdictFiles
from xlaport.tpu.trying import Tpu
from xlaport.verify import Budgets, Stopped, VerifyRequest, verify
from xlaport.verify.launch import interrupt_on_termination
from xlaport.verify.recording import load
from xlaport.verify.words import Words

_INTERRUPTED = 130


def judge_recording(metrics: Path, budgets: Budgets, files: VerdictFiles, *, as_json: bool) -> int:
    """Judge a recorded run: the exit code. Paths are relative to the folder in which it ran."""
    recording = load(metrics)
    sys.stderr.write(f"xlaport: {recording.origin}\n")
    verdict, directory = recording.verdict(budgets), recording.run.directory
    causes = look(verdict)
    _print((verdict_json.as_json if as_json else verdict_text.as_text)(verdict, directory, causes))
    files.write(verdict, causes, None, directory)
    return verdict.exit_code


def judge_scripts(
    words: Words, request: Callable[[str], VerifyRequest], files: VerdictFiles, tpu: Tpu | None, *, as_json: bool
) -> int:
    """Run and judge one script after the other, until the user interrupts: the exit code of the worst.

    `request` makes of a script's name what is to be run, `tpu` compiles it for a TPU, too.
    """
    interrupt_on_termination()
    several = len(words.scripts) > 1
    if several:
        sys.stderr.write(f"xlaport: {len(words.scripts)} scripts, one after the other: {', '.join(words.scripts)}\n")
    judged, interrupted = list[verdicts.Judged](), False
    for script in words.scripts:
        try:
            asked = request(script)
            verdict = verify(asked) if tpu is None else tpu.verified(asked, _tell)
        except Stopped as stopped:
            verdict, interrupted = stopped.verdict, True
        file = None if words.module else Path(script)
        one = verdicts.Judged(script, verdict, look(verdict, file))
        judged.append(one)
        if not as_json:
            _print(verdicts.as_text(one) if several else verdict_text.as_text(verdict, causes=one.causes))
        elif not several:
            _print(verdict_json.as_json(verdict, causes=one.causes))
        (files.of(script) if several else files).write(verdict, one.causes, file, Path.cwd())
        if interrupted:
            break
    if several:
        _print(verdicts.as_json(judged) if as_json else verdicts.summary(judged))
    return _INTERRUPTED if interrupted else verdicts.worst(judged).exit_code


def _tell(what: str) -> None:
    sys.stderr.write(f"xlaport: {what}\n")


def _print(text: str) -> None:
    """At once: what follows may fail, and what was said must not be lost with it."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
