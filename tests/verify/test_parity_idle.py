"""What the comparison says of scripts that train nothing: what they print and save since a model has first run."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlaport.report.parity import as_lines
from xlaport.verify.events import RAN, Counts, End, LineSeen, Noticed, Trace
from xlaport.verify.parity import compare
from xlaport.verify.verdict import Parity

from .recording import at
from .test_parity_output_runs import recorded

SCRIPT = """\
import torch
{head}
model = torch.nn.Sequential(torch.nn.Embedding(16, 16), torch.nn.Linear(16, 16)).to(device)
print("begins")
idx = torch.zeros((1, 1), dtype=torch.long, device=device)
with torch.no_grad():
    for _ in range(12):
        token = torch.multinomial(model(idx)[:, -1].softmax(-1), 1)
        idx = torch.cat((idx, token), dim=1)
        {barrier}
print("".join("abcdefghijklmnop"[int(i)] for i in idx[0].tolist()))
"""


def inferring(*lines: str, before: tuple[str, ...] = ("begins",), runs: bool = True) -> Trace:
    """A run that prints some lines before a model runs, and some behind it."""
    first = [LineSeen(text, 0, at(1)) for text in before]
    ran = [Noticed(RAN, "", at(2))] if runs else []
    return Trace(1, (*first, *ran, *(LineSeen(text, 0, at(3)) for text in lines), End("exit", Counts())))


def said(port: Trace, original: Trace, rounding: Trace | None = None) -> tuple[Parity, list[str]]:
    parity, findings = compare(original, port, 1e-3, "cuda.py", rounding)
    return parity, [item.reason for item in findings if item.severity == "fail"]


def test_a_text_that_is_the_same() -> None:
    parity, found = said(inferring("to be", "more", "loss 0.5"), inferring("to be", "loss 0.5"))
    assert (parity.verdict, parity.lines, parity.is_idle, found) == ("pass", 2, True, [])
    assert "nothing trains; 2 lines alike" in "\n".join(as_lines(parity))


@pytest.mark.parametrize("line", ["to bo", "To be", "to be 0.5"])
def test_a_text_that_is_another_one(line: str) -> None:
    parity, found = said(inferring(line), inferring("to be"))
    assert (parity.verdict, parity.lines) == ("fail", 0)
    assert "does not print what the original prints: `to be`" in found[0]
    assert "not all that is printed" in "\n".join(as_lines(parity))


def test_a_number_of_a_text_that_is_another_one() -> None:
    assert said(inferring("accuracy 0.25"), inferring("accuracy 0.75"))[0].verdict == "fail"


def test_a_text_that_no_two_runs_of_the_original_have_in_common() -> None:
    parity, found = said(inferring("to bo"), inferring("to be"), inferring("to bu"))
    assert (parity.verdict, found) == ("pass", [])


@pytest.mark.parametrize(
    "original",
    [inferring(), inferring("took 3.5 s"), inferring("on device cuda:0"), inferring("to be", runs=False)],
    ids=["nothing", "a time", "a device", "before a model has run"],
)
def test_what_shows_no_result_cannot_be_compared(original: Trace) -> None:
    parity, found = said(original, original)
    assert (parity.verdict, parity.is_idle, len(found)) == ("error", True, 1)


def test_the_same_words_are_drawn_in_both(tmp_path: Path) -> None:
    original = SCRIPT.format(head='device = torch.device("cuda")', barrier="")
    port = SCRIPT.format(head="import torch_xla\ndevice = torch_xla.device()", barrier="torch_xla.sync()")
    one, other = recorded(tmp_path / "original", original, "original"), recorded(tmp_path / "port", port, "port")
    parity, found = said(other, one)
    assert (parity.verdict, parity.lines, found) == ("pass", 1, [])
