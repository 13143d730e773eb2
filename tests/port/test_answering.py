"""What is left for a person, of what decides against a port."""

from __future__ import annotations

from pathlib import Path

from xlaport import run
from xlaport.config import Config
from xlaport.port.answer import Left, answer
from xlaport.port.attempt import Attempt
from xlaport.port.search import Outcome
from xlaport.report import answer_text
from xlaport.report.static_causes import look
from xlaport.result import RunResult
from xlaport.verify.events import Site
from xlaport.verify.verdict import Original, Verdict, VerdictFinding


def left_of(*findings: VerdictFinding) -> tuple[Left, ...]:
    kept = Attempt(frozenset(), RunResult("2.9", 0, 0), Verdict("fail", "CPU", "2.9", 10, findings=findings))
    return answer(Outcome(kept, (kept,)), 3).left


def read(line: int, function: str, reason: str = "Read in each step", path: str = "/there/train.py") -> VerdictFinding:
    original = Original(path, line - 1)
    return VerdictFinding("host-read", "fail", reason, "", path, line, function, rule="XP302", original=original)


def test_lines_of_one_function_of_which_the_same_is_said_are_one_thing() -> None:
    (one,) = left_of(read(4, "log"), read(5, "log"), read(9, "log"))
    assert (one.line, one.further) == (3, (4, 8))
    said = answer_text._left(1, one, Path("/there"))
    assert next(said) == "1. train.py:3, 4, 8"


def test_lines_of_two_functions_or_of_which_other_things_are_said_are_several() -> None:
    apart = left_of(read(4, "log"), read(5, "act"), read(6, "log", "It stops"), read(7, "log", path="/there/model.py"))
    assert [(each.line, each.further) for each in apart] == [(3, ()), (4, ()), (5, ()), (6, ())]


def test_a_line_of_which_two_things_are_said_is_one() -> None:
    assert len(left_of(read(4, "log"), read(4, "log", "Another graph runs for it"))) == 1


TRACED = """\
import torch
import torch_xla
from torch.utils.tensorboard import SummaryWriter

from net import Net

net = Net().to(torch_xla.device())
SummaryWriter().add_graph(net, torch.zeros(1, 3, 8, 8, device=torch_xla.device()))
"""
NET = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        return self.stem(x)
"""


def test_what_led_to_an_exception_is_named_where_a_rule_knows_that_it_stops(tmp_path: Path) -> None:
    (train := tmp_path / "train.py").write_text(TRACED)
    (net := tmp_path / "net.py").write_text(NET)
    callers = (Site(str(train), 8, "<module>"),)
    raised = VerdictFinding("script-failed", "fail", "It raises", "", str(net), 10, "forward", callers=callers)
    verdict = Verdict("error", "CPU", "2.9", 0, findings=(raised,))
    causes = look(verdict, train)
    assert [(each.finding.code, each.finding.line) for each in causes.of(raised)] == [("XP827", 8)]
    kept = Attempt(frozenset(), run.convert([train, net], Config()), verdict, causes)
    (left,) = answer(Outcome(kept, (kept,)), 1).left
    assert (left.path, left.line, left.rule) == (str(train), 8, "XP827")
    assert "Pass a copy on the CPU" in left.advice


def test_an_exception_of_which_no_rule_knows_stays_where_it_is(tmp_path: Path) -> None:
    (train := tmp_path / "train.py").write_text(TRACED)
    (net := tmp_path / "net.py").write_text(NET)
    callers = (Site(str(train), 7, "<module>"),)
    raised = VerdictFinding("script-failed", "fail", "It raises", "", str(net), 7, "__init__", callers=callers)
    assert look(Verdict("error", "CPU", "2.9", 0, findings=(raised,)), train).of(raised) == ()
