"""A verdict as JSON: the machine contract."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from xlaport.report import on_chip, parity
from xlaport.report.static_causes import NO_CAUSES, Cause, Causes
from xlaport.report.verdict_words import relative
from xlaport.verify.events import Site
from xlaport.verify.verdict import Original, Replica, Series, Verdict


def as_dict(verdict: Verdict, directory: Path | None = None, causes: Causes = NO_CAUSES) -> dict[str, Any]:
    """The object of the machine contract; paths are relative to `directory` (the current one)."""
    return {
        "version": 1,
        "tool": "xlaport",
        "verdict": verdict.verdict,
        "device": verdict.device,
        "torch_xla": verdict.torch_xla,
        **({"target": verdict.target, "torch_tpu": verdict.torch_tpu} if verdict.torch_tpu else {}),
        "steps": verdict.steps,
        "warmup": verdict.warmup,
        "compiles": _series(verdict.compiles),
        "executions": {"per_step": list(verdict.executions.per_step)},
        "transfers": {**_series(verdict.transfers), "stalling": _series(verdict.stalling)},
        "fallbacks": [{"op": op, "count": count} for op, count in verdict.fallbacks],
        "findings": [
            {
                "kind": item.kind,
                "severity": item.severity,
                "path": relative(item.path, directory),
                "line": item.line,
                "function": item.function,
                "count": item.count,
                "steps": list(item.steps),
                "reason": item.reason,
                "rule": item.rule,
                "advice": item.advice,
                "seen_at": _site(item.seen_at, directory) if item.seen_at else None,
                "original": _original(item.original, directory),
                "causes": [_cause(cause, directory) for cause in causes.of(item)] if item.severity == "fail" else [],
                **({"replicas": list(item.replicas)} if verdict.replicas else {}),
            }
            for item in verdict.findings
        ],
        "loops": [
            {
                **_site(loop.site, directory),
                "steps": list(loop.steps),
                "warmup": loop.warmup,
                "trains": loop.trains,
            }
            for loop in verdict.details.loops
        ],
        "compilations": [
            {
                "step": item.step,
                **_site(item.site, directory),
                "count": item.count,
                "seconds": item.seconds,
                "reason": item.reason,
                "changes": [
                    {
                        "before": change.before,
                        "after": change.after,
                        "path": relative(change.path, directory),
                        "line": change.line,
                    }
                    for change in item.changes
                ],
            }
            for item in verdict.details.compilations
        ],
        **({"replicas": [_replica(item) for item in verdict.replicas]} if verdict.replicas else {}),
        **({"chips": [on_chip.as_dict(chip, directory) for chip in verdict.chips]} if verdict.chips else {}),
        **({"parity": parity.as_dict(verdict.parity)} if verdict.parity else {}),
    }


def as_json(verdict: Verdict, directory: Path | None = None, causes: Causes = NO_CAUSES) -> str:
    """The object of the machine contract as one JSON document, without a final newline."""
    return json.dumps(as_dict(verdict, directory, causes), indent=2)


def _original(original: Original | None, directory: Path | None) -> dict[str, Any] | None:
    if original is None:
        return None
    return {**asdict(original), "file": relative(original.file, directory)}


def _cause(cause: Cause, directory: Path | None) -> dict[str, Any]:
    finding = cause.finding
    return {
        "path": relative(cause.path, directory),
        "line": finding.line,
        "rule": finding.code,
        "applicability": finding.applicability.value,
        "message": finding.message,
        "recipe": finding.recipe,
        "snippet": finding.snippet,
        "command": cause.fix.command if cause.fix else None,
    }


def _site(site: Site | None, directory: Path | None) -> dict[str, Any]:
    if site is None:
        return {"path": None, "line": None, "function": None}
    return {"path": relative(site.path, directory), "line": site.line, "function": site.function}


def _replica(replica: Replica) -> dict[str, Any]:
    return {
        "ordinal": replica.ordinal,
        "verdict": replica.verdict,
        "steps": replica.steps,
        "warmup": replica.warmup,
        "compiles": _series(replica.compiles),
        "executions": {"per_step": list(replica.executions.per_step)},
        "transfers": {**_series(replica.transfers), "stalling": _series(replica.stalling)},
    }


def _series(series: Series) -> dict[str, Any]:
    return {
        "total": series.total,
        "after_warmup": series.after_warmup,
        "per_step": list(series.per_step),
    }
