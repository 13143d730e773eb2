"""A diagnosis as text, and as JSON: the versions' fit, the device, the first graph, the environment."""

from __future__ import annotations

import json
import textwrap

from xlaport.doctor import Diagnosis, State, Status

_WIDTH = 100
_MARKS = {Status.OK: "yes ", Status.NOTE: "note", Status.MEND: "MEND"}
_STATES = {
    State.WORKS: "",
    State.DEBUG: "costs time: ",
    State.DEPRECATED: "deprecated: ",
    State.IGNORED: "no effect: ",
    State.LIBTPU: "",
    State.UNKNOWN: "",
}


def as_text(diagnosis: Diagnosis) -> str:
    """Each check with what to do about it, then each variable; ends with a newline."""
    faults = sum(check.status is Status.MEND for check in diagnosis.checks)
    fit = f"fit for {diagnosis.package}"
    head = f"This machine is {fit}." if not faults else f"Not yet {fit}: {faults} to mend."
    lines = [head, ""]
    for check in diagnosis.checks:
        lines += _wrapped(f"  {_MARKS[check.status]}  {check.message}", "        ")
        if check.advice:
            lines += _wrapped(f"        -> {check.advice}", "           ")
        if check.command:
            lines.append(f"        -> {check.command}")  # to be copied: on one line
    if diagnosis.variables:
        lines += ["", "Environment variables that are set:"]
        for variable in diagnosis.variables:
            lines.append(f"  {variable.name}={variable.value}")
            text = f"{_STATES[variable.state]}{variable.name} {variable.what}"
            lines += _wrapped(f"        {text}", "        ")
            if variable.advice:
                lines.append(f"        -> {variable.advice}")
    return "\n".join(lines) + "\n"


def as_json(diagnosis: Diagnosis) -> str:
    """One JSON document; ends with a newline."""
    report = {
        "version": 1,
        "tool": "xlaport",
        "fit": not diagnosis.exit_code,
        "python": diagnosis.python,
        "checks": [
            {
                "name": item.name,
                "status": item.status.value,
                "message": item.message,
                "advice": item.advice,
                "command": item.command,
            }
            for item in diagnosis.checks
        ],
        "variables": [
            {
                "name": item.name,
                "value": item.value,
                "state": item.state.value,
                "message": f"{item.name} {item.what}",
                "advice": item.advice,
            }
            for item in diagnosis.variables
        ],
    }
    return json.dumps(report, indent=2) + "\n"


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
