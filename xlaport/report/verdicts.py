"""The verdicts of several scripts that were run one after the other: one document, and the list at its end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xlaport.report import verdict_json, verdict_text
from xlaport.report.static_causes import Causes
from xlaport.verify.verdict import Verdict

_HEAD = ("version", "tool")


@dataclass(frozen=True)
class Judged:
    """A script, as it was named on the command line, what was seen of its run, and what the rules say of its source."""

    script: str
    verdict: Verdict
    causes: Causes


def worst(judged: Sequence[Judged]) -> Verdict:
    """The one that decides the exit code."""
    return max((one.verdict for one in judged), key=lambda verdict: verdict.exit_code)


def as_json(judged: Sequence[Judged], directory: Path | None = None) -> str:
    """One document: the worst verdict, and for each script the object that it has alone, with its name."""
    scripts = [{"script": one.script, **verdict_json.as_dict(one.verdict, directory, one.causes)} for one in judged]
    # What every document begins with is said once.
    head = {name: scripts[0][name] for name in _HEAD}
    rest = [{name: value for name, value in script.items() if name not in _HEAD} for script in scripts]
    overall = worst(judged).verdict
    return json.dumps({**head, "verdict": overall, "scripts": rest}, indent=2)


def as_text(judged: Judged, directory: Path | None = None) -> str:
    """One of several scripts: its name, then what is said of it alone."""
    return f"{judged.script}: {verdict_text.as_text(judged.verdict, directory, judged.causes)}\n"


def summary(judged: Sequence[Judged]) -> str:
    """A line per script, to read at the end."""
    counts = [(word, sum(one.verdict.verdict == word for one in judged)) for word in ("pass", "fail", "error")]
    said = ", ".join(f"{count} {word}" for word, count in counts if count)
    rows = [f"  {one.verdict.verdict.upper():<6}{one.script}" for one in judged]
    return "\n".join([f"{len(judged)} scripts: {said}", *rows])
