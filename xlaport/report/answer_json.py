"""What a port came to, as JSON: the machine contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from xlaport.port.answer import Answer
from xlaport.port.attempt import Attempt, rules_of
from xlaport.report import verdict_json
from xlaport.report.verdict_words import relative


def as_json(answer: Answer, directory: Path, written: list[str]) -> str:
    """The object of the machine contract; paths are relative to `directory`."""
    kept = answer.kept
    found = {
        "version": 1,
        "tool": "xlaport",
        "result": answer.result,
        "runs": answer.runs,
        "unsafe": rules_of(kept.unsafe),
        "rejected": sorted(answer.outcome.rejected),
        "unfinished": answer.outcome.unfinished,
        "written": written,
        "edits": [
            {
                "path": finding.path,
                "cell": finding.cell,
                "line": finding.line,
                "rule": finding.code,
                "by": answer.ground(finding),
            }
            for finding in kept.result.findings
            if finding.fixed
        ],
        "left": [
            {
                "path": relative(left.path, directory),
                "cell": left.cell,
                "line": left.line or None,
                "further": list(left.further),
                "code": left.code,
                "reason": left.reason,
                "advice": left.advice,
                "rule": left.rule,
                "count": left.seen,
            }
            for left in answer.left
        ],
        "more": answer.more,
        "attempts": [_attempt(attempt) for attempt in answer.outcome.attempts],
        "verdict": verdict_json.as_dict(kept.verdict, directory, kept.causes),
    }
    return json.dumps(found, indent=2, ensure_ascii=False)


def _attempt(attempt: Attempt) -> dict[str, Any]:
    parity = attempt.verdict.parity
    return {
        "unsafe": sorted(attempt.unsafe),
        "verdict": attempt.verdict.verdict,
        "parity": parity.verdict if parity is not None else None,
        "steps": attempt.verdict.steps,
        "compiles_after_warmup": attempt.verdict.compiles.after_warmup,
        "stalls_per_step": round(attempt.stalls, 3),
    }
