"""The verdicts of several scripts that were run one after the other: one document, and the list at its end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from xlaport.report import verdict as view
from xlaport.verify.verdict import Verdict

_HEAD = ("version", "tool")


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The one that decides the exit code."""
    return max(verdicts, key=lambda verdict: verdict.exit_code)


def as_json(judged: Sequence[tuple[str, Verdict]], directory: Path | None = None) -> str:
    """One document: the worst verdict, and for each script the object that it has alone, with its name."""
    scripts = [{"script": script, **view.as_dict(verdict, directory)} for script, verdict in judged]
    # What every document begins with is said once.
    head = {name: scripts[0][name] for name in _HEAD}
    rest = [{name: value for name, value in script.items() if name not in _HEAD} for script in scripts]
    overall = worst([verdict for _, verdict in judged]).verdict
    return json.dumps({**head, "verdict": overall, "scripts": rest}, indent=2)


def as_text(script: str, verdict: Verdict, directory: Path | None = None) -> str:
    """One of several scripts: its name, then what is said of it alone."""
    return f"{script}: {view.as_text(verdict, directory)}\n"


def summary(judged: Sequence[tuple[str, Verdict]]) -> str:
    """A line per script, to read at the end."""
    counts = [(word, sum(verdict.verdict == word for _, verdict in judged)) for word in ("pass", "fail", "error")]
    said = ", ".join(f"{count} {word}" for word, count in counts if count)
    rows = [f"  {verdict.verdict.upper():<6}{script}" for script, verdict in judged]
    return "\n".join([f"{len(judged)} scripts: {said}", *rows])
