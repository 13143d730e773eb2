"""What the doctor says: plain objects that the reports are views of."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Status(str, enum.Enum):
    """How a check came out: well, well with something to know, or with something to mend."""

    OK = "ok"
    NOTE = "note"
    MEND = "mend"


class State(str, enum.Enum):
    """What becomes of an environment variable."""

    WORKS = "works"
    DEBUG = "debug"
    DEPRECATED = "deprecated"
    IGNORED = "ignored"
    LIBTPU = "libtpu"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: `message` what was seen, `advice` what to do, `command` what mends it."""

    name: str
    status: Status
    message: str
    advice: str = ""
    command: str = ""


@dataclass(frozen=True)
class Variable:
    """An environment variable that is set: `what` follows its name in a sentence."""

    name: str
    value: str
    state: State
    what: str
    advice: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """All that was seen, in the order in which it matters. `package`: what it is to be fit for."""

    python: str
    checks: tuple[Check, ...]
    variables: tuple[Variable, ...] = ()
    package: str = "torch_xla"

    @property
    def exit_code(self) -> int:
        """1 if there is something to mend."""
        return int(any(check.status is Status.MEND for check in self.checks))
