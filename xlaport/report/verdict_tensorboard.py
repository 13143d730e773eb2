"""A verdict as a run of TensorBoard: the counts step by step as scalars, what was found as text.

The files are TensorBoard's own, written by its own writer, so that one run can be laid over another.
"""

from __future__ import annotations

import importlib
import itertools
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from xlaport.errors import UserError
from xlaport.report.verdict_text import as_text
from xlaport.report.verdict_words import relative, steps_in_words
from xlaport.verify.verdict import Verdict, VerdictFinding

_GIB = 2**30


def require() -> None:
    """`UserError` where TensorBoard's writer is not installed."""
    try:
        importlib.import_module("tensorboard.summary.writer.event_file_writer")
    except ImportError as error:
        raise UserError(
            f"--tensorboard needs TensorBoard's writer ({error}): run  pip install 'xlaport[tensorboard]'"
        ) from error


def write(verdict: Verdict, folder: Path, name: str, directory: Path | None = None) -> Path:
    """Write one run into a new folder below `folder`, named by `name` and the time; returns that folder.

    Paths in the text are relative to `directory` (the current one). Raises `OSError` where it cannot be written.
    """
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    run = _new_folder(folder, f"{name}-{time.strftime('%Y%m%d-%H%M%S')}")
    writer = EventFileWriter(str(run))
    try:
        for tag, values in scalars(verdict):
            for step, value in enumerate(values, start=1):
                writer.add_event(_scalar(tag, value, step))
        writer.add_event(_text("verify/verdict", _as_code(as_text(verdict, directory)), 0))
        for number, item in enumerate(verdict.findings, start=1):
            writer.add_event(_text("verify/findings", _finding(item, directory), number))
    finally:
        writer.close()
    return run


def _new_folder(parent: Path, name: str) -> Path:
    """A folder that was not there: scripts of one name that end in the same second have one each."""
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    folder = next(path for path in map(parent.joinpath, names) if not path.exists())
    folder.mkdir(parents=True)
    return folder


def scalars(verdict: Verdict) -> Iterator[tuple[str, Sequence[float]]]:
    """Each figure by its tag: its value in step 1, 2 and so on. What ends in ``total`` is the sum up to there.

    Of a TPU, the values are those of its graphs, one behind the other.
    """
    seconds = [0.0] * verdict.steps
    for item in verdict.details.compilations:
        seconds[item.step - 1] += item.seconds
    per_step: dict[str, Sequence[float]] = {
        "compiles": verdict.compiles.per_step,
        "executions": verdict.executions.per_step,
        "transfers": verdict.transfers.per_step,
        "compile_seconds": seconds,
    }
    for name, values in per_step.items():
        yield f"verify/{name}", values
        yield f"verify/{name}_total", list(itertools.accumulate(values))
    yield "verify/graph_size", verdict.details.graph_sizes
    for chip in verdict.chips:
        yield f"tpu/{chip.code}/needed_gib", [each.needed / _GIB for each in chip.graphs]
        yield f"tpu/{chip.code}/least_ms", [each.work.seconds * 1000 if each.work else 0.0 for each in chip.graphs]


def _finding(item: VerdictFinding, directory: Path | None) -> str:
    place = f"{relative(item.path, directory)}:{item.line}" if item.path else "the whole run"
    rule = f" [{item.rule}]" if item.rule else ""
    lines = [f"{item.severity}: {item.kind}{rule}", place + (f" in {item.function}()" if item.function else "")]
    lines += [item.reason + (f" (steps {steps_in_words(item.steps)})" if item.steps else "")]
    return _as_code("\n".join(lines + ([f"-> {item.advice}"] if item.advice else [])))


def _as_code(text: str) -> str:
    """As Markdown that shows the text as it is, whatever is in it."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def _scalar(tag: str, value: float, step: int) -> Any:
    from tensorboard.compat.proto.summary_pb2 import Summary

    return _event(Summary(value=[Summary.Value(tag=tag, simple_value=float(value))]), step)


def _text(tag: str, text: str, step: int) -> Any:
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.compat.proto.tensor_pb2 import TensorProto
    from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
    from tensorboard.plugins.text.metadata import create_summary_metadata

    tensor = TensorProto(
        dtype="DT_STRING",
        string_val=[text.encode("utf-8", "backslashreplace")],
        tensor_shape=TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)]),
    )
    value = Summary.Value(tag=tag, tensor=tensor, metadata=create_summary_metadata(tag, ""))
    return _event(Summary(value=[value]), step)


def _event(summary: Any, step: int) -> Any:
    from tensorboard.compat.proto.event_pb2 import Event

    return Event(wall_time=time.time(), step=step, summary=summary)
