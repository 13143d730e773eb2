"""What a run has shown, as data: of each expression how often it ran, and what it gave. No values of the user's.

It goes to a file of JSON, and counts for a file of the program as long as that has the very text that has run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from xlaport.errors import UserError

_FORMAT = 1


@dataclass(frozen=True)
class Sort:
    """One sort of thing that an expression gave.

    `kind` is ``tensor``, ``number``, ``text``, ``none``, ``device``, ``module``, ``optimizer``, ``scheduler``,
    ``scaler``, ``loader``, ``dataset``, ``array``, ``function``, ``class``, ``instance``, ``row`` (a list or tuple),
    ``table`` (a dict) or ``other``. A tensor or device has a `device` (``cpu``, else the accelerator's), a tensor and a
    number what they hold (`holds`: ``bool``, ``int``, ``float``, ``complex``), a tensor its `rank`. `name` is the
    qualified name, of the program's own with the `file` that defines it. `made`: which expression gave this object
    first. `element` is what a container holds.
    """

    kind: str
    device: str = ""
    holds: str = ""
    rank: int | None = None
    name: str = ""
    file: str = ""
    made: int | None = None
    element: Sort | None = None


@dataclass(frozen=True)
class Expression:
    """An expression of a file (lines and columns from 1, the end behind it): what it gave, each sort once.

    `changes`: of a number, whether it was another one from time to time. `sizes`: those that a tensor had, in the order
    in which they came; more than `MOST_SIZES` are not all of them.
    """

    number: int
    place: tuple[int, int, int, int]
    times: int
    sorts: tuple[Sort, ...]
    changes: bool = False
    sizes: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Observations:
    """What one run has shown. `files`: by the digest of its text, the name of a file and its expressions; `loaded`: the
    files of the folder that it has imported; `hindered`: the marks were in its way, and nothing
    counts.
    """

    script: str
    steps: int
    files: Mapping[str, tuple[str, tuple[Expression, ...]]] = field(default_factory=dict)
    loaded: tuple[str, ...] = ()
    hindered: bool = False

    @cached_property
    def name(self) -> str:
        """Tells it from others: a digest of all of it."""
        return digest(as_json(self))

    def __repr__(self) -> str:
        return f"Observations({self.name})"

    def of(self, text: str) -> tuple[Expression, ...]:
        """What it shows of a file with this text."""
        return self.files.get(digest(text), ("", ()))[1]

    def knows(self, text: str) -> bool:
        """Whether a file with this text has run."""
        return digest(text) in self.files

    @property
    def phrase(self) -> str:
        """How findings say what they rest on."""
        return f"rests on a run: seen in {self.steps} step{'s' * (self.steps != 1)} of {self.script}"


NOTHING_OBSERVED = Observations("", 0)


def digest(text: str) -> str:
    """By which a text is known."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def as_json(observed: Observations) -> str:
    """The file that `read` reads."""
    files = [
        {"path": path, "digest": key, "expressions": [_slim(asdict(each)) for each in expressions]}
        for key, (path, expressions) in sorted(observed.files.items())
    ]
    whole = {"xlaport_evidence": _FORMAT, "script": observed.script, "steps": observed.steps, "files": files}
    return json.dumps(whole, indent=1) + "\n"


def _slim(value: Any) -> Any:
    """Without what is not said."""
    if isinstance(value, dict):
        return {
            key: _slim(inner)
            for key, inner in value.items()
            if not (inner is None or inner is False or inner in ("", ()))
        }
    return [_slim(inner) for inner in value] if isinstance(value, list | tuple) else value


def read(path: Path) -> Observations:
    """What a file holds that `as_json` has made. Raises `UserError` where it cannot be read, or is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"--evidence {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise UserError(f"--evidence {path}: is no JSON ({error})") from error
    if not isinstance(data, dict) or data.get("xlaport_evidence") != _FORMAT:
        raise UserError(f"--evidence {path}: is no evidence of this version; `xlaport port --save-evidence` writes it")
    try:
        files = {
            file["digest"]: (file["path"], tuple(_expression(each) for each in file["expressions"]))
            for file in data["files"]
        }
        return Observations(data["script"], data["steps"], files)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"--evidence {path}: is damaged ({type(error).__name__}: {error})") from error


def _expression(data: dict[str, Any]) -> Expression:
    row, column, end_row, end_column = data["place"]
    sorts = tuple(map(sort_of, data["sorts"]))
    place = (row, column, end_row, end_column)
    sizes = tuple(map(tuple, data.get("sizes", ())))
    return Expression(data["number"], place, data["times"], sorts, data.get("changes", False), sizes)


def sort_of(data: dict[str, Any]) -> Sort:
    """A sort from what JSON has of it. Raises `TypeError` or `KeyError` for other things."""
    inner = data.get("element")
    return replace(Sort(**{**data, "element": None}), element=sort_of(inner) if inner else None)
