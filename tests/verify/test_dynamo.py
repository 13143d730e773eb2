"""What torch.compile says of guards and graph breaks, in words; and what the judge makes of it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from xlaport.verify.dynamo import guard
from xlaport.verify.events import Counts, GraphBreak, Point, Site, decode, encode
from xlaport.verify.graph_breaks import graph_break
from xlaport.verify.request import Budgets

from .conftest import Check
from .recording import Recording, at, found, one

COMMENT = "                         # return x ** k  # c/train.py:7 in step"


def words(message: str, **known: object) -> str:
    return guard(f"0/1: {message}", known, {"config": SimpleNamespace(rate=2.5)}).words


# --- guards: messages as torch 2.9 writes them


def tensor(*shape: int, dtype: str = "torch.float32") -> SimpleNamespace:
    return SimpleNamespace(shape=shape, dtype=dtype)


def test_a_shape_is_told_as_it_was_and_as_it_is() -> None:
    said = "tensor 'x' size mismatch at index 0. expected 32, actual 17"
    assert words(said, x=tensor(17, 128)) == "x: f32[32,128] became f32[17,128]"
    said = "tensor 'batch['ids']' size mismatch at index 1. expected 8, actual 9"
    assert words(said, batch={"ids": tensor(4, 9, dtype="torch.int64")}) == "batch['ids']: s64[4,8] became s64[4,9]"


def test_a_shape_of_what_cannot_be_looked_up() -> None:
    said = "tensor '___stack0' size mismatch at index 0. expected 4, actual 5"
    assert words(said) == "a value from before a graph break: 4 became 5 in dimension 0"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("tensor 'x' dtype mismatch. expected Float, actual Half", "x: its dtype was Float and is Half"),
        ("tensor 'x' rank mismatch. expected 1, actual 2", "x: its number of dimensions was 1 and is 2"),
        ("tensor 'x' requires_grad mismatch. expected requires_grad=0", "x needs a gradient now"),
        ("tensor 'x' requires_grad mismatch. expected requires_grad=1", "x needs no gradient now"),
        ("GLOBAL_STATE changed: grad_mode ", "whether gradients are recorded (torch.no_grad()) changed"),
        ('Duplicate tensors found: ["x", "y"]', 'two inputs became one tensor, or stopped being one: "x", "y"'),
        ("___check_obj_id(f, 140297923435056)" + COMMENT, "f is another object"),
        ("___check_type_id(f, 140297923435056)", "f is of another type"),
        ("what nobody has seen yet!", "what nobody has seen yet!"),
        ("___check_nothing()", "___check_nothing()"),
    ],
)
def test_other_guards(message: str, expected: str) -> None:
    assert words(message) == expected


def test_a_number_and_what_it_is_now() -> None:
    assert words("k == 3" + COMMENT, k=4) == "k was 3 and is 4"
    assert words("len(xs) == 2" + COMMENT, xs=[1, 2, 3]) == "len(xs) was 2 and is 3"
    assert words("G['config'].rate == 1.5" + COMMENT) == "config.rate was 1.5 and is 2.5"
    assert words("self.gone == 3") == "self.gone was 3"


def test_the_modules_of_a_model_are_named_as_its_author_does() -> None:
    said = "G['net']._modules['encoder']._modules['0'].training == True"
    assert words(said) == "net.encoder[0].training was True"


def test_the_line_that_relies_on_a_guard() -> None:
    failed = guard("0/0: k == 3" + COMMENT, {}, {})
    assert (failed.path, failed.line) == ("c/train.py", 7)
    assert guard("0/0: k == 3", {}, {}).path is None


# --- graph breaks


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Unsupported Tensor.item() call with capture_scalar_outputs=False\n  Expl…", "the value of a tensor is read"),
        ("Tensor.tolist() with non-integer tensor\n", "the value of a tensor is read"),
        ("generic_jump TensorVariable()", "an `if`, `while` or `assert` depends"),
        ("Data-dependent branching\n  Explanation: Detected …", "an `if`, `while` or `assert` depends"),
        ("Dynamic shape operator\n  Explanation: Operator `aten.nonzero.default`'s …", "the shape of the result"),
        ("Failed to trace builtin operator\n  Explanation: Dynamo does not know how to trace builtin operator `print` "
         "with argument types ['str']", "`print()` is called"),
        ("Attempted to call function marked as skipped\n  Explanation: Dynamo does not know how to trace the builtin "
         "`time.time.` This function is either …", "`torch.compile` cannot trace `time.time()`"),
        ("Skip calling `torch.compiler.disable()`d function\n  Explanation: Skip calling function `<function step_mar"
         "ker at 0x7f>` since it was wrapped with `torch.compiler.disable` (reason: a call of torch_xla's runtime)",
         "torch_xla's runtime is called"),
        ("Skip calling `torch.compiler.disable()`d function\n  Explanation: …", "`torch.compiler.disable` keeps out"),
        ("Something new\n  Explanation: Nobody knows why. Ask.\n  Hint: None.", "Something new: Nobody knows why"),
    ],
)  # fmt: skip
def test_a_graph_break_in_plain_words(message: str, expected: str) -> None:
    assert expected in graph_break(message).message


# --- the judge

HERE = Site(at(1).path, 42, "forward")


def compiled(recording: Recording, steps: int, parts: int, retraced: str | None = None) -> Recording:
    """Training steps in which a compiled function runs in so many graphs."""
    for number in range(steps):
        if retraced:
            recording.events.append(Point("retraced", HERE, Counts(), reason=f"{retraced} {number}"))
        for _ in range(parts):
            recording.totals = recording.totals + Counts(executions=1)
            recording.events.append(Point("dynamo", HERE, Counts(executions=1)))
        recording.step().sync(int(number == 0))
    return recording


def broken(whole: bool = False) -> Recording:
    recording = Recording().optimizer().compared(4)
    recording.events.append(GraphBreak(HERE, "forward", whole, "generic_jump TensorVariable()"))
    return recording


def test_a_function_that_runs_in_pieces_in_each_step_fails() -> None:
    verdict = compiled(broken(), 8, parts=2).end().verdict()
    assert found(verdict) == {("graph-break", 42)}
    assert "2 of its graphs run in 7 of 7 steady steps" in one(verdict, "graph-break").reason
    assert compiled(broken(), 8, parts=2).end().verdict(Budgets(executions=3)).verdict == "pass"


def test_a_break_behind_which_nothing_runs_is_a_note() -> None:
    verdict = compiled(broken(), 8, parts=1).end().verdict()
    assert verdict.verdict == "pass"
    assert ("graph-break", 42) in found(verdict, "note")


def test_a_function_that_is_not_compiled_at_all_is_a_note() -> None:
    verdict = compiled(broken(whole=True), 8, parts=0).end().verdict()
    assert "cannot compile `forward()`: an `if`" in one(verdict, "graph-break").reason
    assert verdict.verdict == "pass"


def test_guards_that_fail_in_each_step_without_a_compile() -> None:
    verdict = compiled(Recording().optimizer().compared(4), 10, parts=1, retraced="k was").end().verdict()
    assert found(verdict) == {("guard-failed", 42)}
    assert "traced `forward()` again in 9 of 9 steady steps: k was 1" in one(verdict, "guard-failed").reason


def test_a_guard_that_fails_once_is_a_note() -> None:
    recording = compiled(Recording().optimizer().compared(4), 5, parts=1)
    recording = compiled(compiled(recording, 1, parts=1, retraced="k was"), 5, parts=1)
    assert found(recording.end().verdict(), "note") >= {("guard-failed", 42)}


def test_torch_compile_gives_up_even_where_no_step_follows() -> None:
    recording = compiled(Recording().optimizer().compared(4), 8, parts=1)
    recording.events.append(Point("gave-up", HERE, Counts(), reason="k was 8 and is 9"))
    verdict = recording.end().verdict()
    assert found(verdict) == {("guard-failed", 42)}
    assert "last, k was 8 and is 9" in one(verdict, "guard-failed").reason


def test_a_graph_break_survives_the_recording() -> None:
    event = GraphBreak(HERE, "forward", True, "x")
    assert decode(encode(event)) == event


# --- in a run

COMPILED = """
import torch, torch_xla
from torch._dynamo.convert_frame import input_codes
device = torch_xla.device()
model = torch.nn.Linear(8, 8).to(device)
def forward(x):
    y = model(x)
    if y.abs().sum() >= 0:
        torch_xla.sync()
    return y + 1
compiled = torch.compile(forward, backend="openxla")
with torch.no_grad():
    for step in range(8):
        out = compiled(torch.ones(4, 8).to(device))
        torch_xla.sync()
files = [code().co_filename for code in input_codes.seen]
print("looked at", len(files) > 5, "of the probe", [file for file in files if "verify/" in file])
"""


def test_the_probe_itself_is_not_compiled(check: Check, capfd: pytest.CaptureFixture[str]) -> None:
    verdict = check(COMPILED)
    # What runs between the pieces of a compiled function is compiled, too: torch_xla.sync(), but nothing of ours.
    assert "looked at True of the probe []" in capfd.readouterr().err
    assert ("graph-break", 8) in {(item.kind, item.line) for item in verdict.findings}
