"""The environment variables that are set, and what torch_xla 2.9 makes of them. The facts are in variables.toml."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from xlaport.doctor.diagnosis import State, Variable
from xlaport.tables import read_table

_OURS = ("XLA_", "XRT_", "PJRT_", "PT_XLA_", "PTXLA_")
"""What begins so is torch_xla's, or nobody's."""
_TPU = ("TPU_", "LIBTPU_", "CLOUD_TPU_")
_KINDS = ("CPU", "TPU")
_GONE = ("CUDA", "GPU", "ROCM", "TPU_LEGACY")
_SHOWN = 200
"""Characters of a value that are shown."""


@dataclass(frozen=True)
class Entry:
    """What is known of some variables: see variables.toml."""

    names: tuple[str, ...]
    state: State
    what: str
    switch: bool = False

    def speaks_of(self, name: str) -> bool:
        """Whether a variable is one of these."""
        return any(fnmatchcase(name, pattern) for pattern in self.names)


@functools.cache
def entries() -> tuple[Entry, ...]:
    """The table."""
    data = read_table(Path(__file__).with_name("variables.toml"))
    return tuple(
        Entry(tuple(item["names"]), State(item["state"]), item["what"], item.get("switch", False))
        for item in data["variable"]
    )


def is_of_torch_xla(name: str) -> bool:
    """Whether a variable is one that torch_xla reads, or has read."""
    return name.startswith(_OURS) and any(entry.speaks_of(name) for entry in entries())


def look_at(environment: Mapping[str, str]) -> tuple[Variable, ...]:
    """What is said of each variable of an environment that is torch_xla's or a TPU's, by name."""
    found = (_look_at(name, value) for name, value in sorted(environment.items()))
    return tuple(variable for variable in found if variable is not None)


def _look_at(name: str, value: str) -> Variable | None:
    shown = value if len(value) <= _SHOWN else value[:_SHOWN] + "…"
    entry = next((entry for entry in entries() if entry.speaks_of(name)), None)
    if entry is not None:
        what = entry.what + _about(entry, name, value)
        return Variable(name, shown, entry.state, what, _advice(entry.state, name, value))
    if name.startswith(_OURS):
        what = "is not known: torch_xla 2.9 reads no such variable; is it misspelled?"
        return Variable(name, shown, State.IGNORED, what)
    if name.startswith(_TPU):
        return Variable(name, shown, State.UNKNOWN, "is not torch_xla's; libtpu or another program may read it")
    return None


def _about(entry: Entry, name: str, value: str) -> str:
    """What there is to say of the value."""
    if entry.switch and not _is_number(value) and value not in ("true", "false"):
        return f". {value!r} is off: only 1 and true are on"
    if name == "PJRT_DEVICE" and value in _GONE:
        return f". {value} has gone"
    if name == "PJRT_DEVICE" and value not in _KINDS:
        return f". {value!r} needs a plugin of that name"
    if name == "TPU_LIBRARY_PATH" and not Path(value).is_file():
        return ". There is no such file"
    return ""


def _advice(state: State, name: str, value: str) -> str:
    if (name == "PJRT_DEVICE" and value in _GONE) or (name == "TPU_LIBRARY_PATH" and not Path(value).is_file()):
        return f"unset {name}"
    return f"unset {name}" if state is State.IGNORED else ""


def _is_number(text: str) -> bool:
    return text.strip().lstrip("+-").isdigit()
