"""Batches that come late or not at all, ties that come undone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xlaport.verify import VerifyRequest, verify
from xlaport.verify.events import Boundary, LoaderFailed, Site, Untied, decode, encode
from xlaport.verify.input_questions import STARVED

from .recording import STEP, SYNC, Recording, at, one

GOOD = (1, 1, 0, 0, 0, 0, 0, 0)


def timed(waited: float, length: float = 1.0, late: float = 0.0) -> Recording:
    """A good run whose steps take so many seconds each, and wait for this share of them; the last one is late."""
    recording = Recording().train(GOOD)
    steps = 0
    for index, event in enumerate(recording.events):
        if isinstance(event, Boundary):
            steps += event.source == "marker"
            delay = late if steps == len(GOOD) else 0.0
            recording.events[index] = replace(
                event, seconds=length * steps + delay, waited=waited * length * steps + delay
            )
    return recording


def test_steps_that_wait_for_their_batches_are_noted() -> None:
    verdict = timed(0.6).verdict()
    starved = one(verdict, "starved")
    assert (verdict.verdict, starved.severity, starved.line) == ("pass", "note", SYNC)
    assert "60%" in starved.reason
    assert "600 of 1000 ms" in starved.reason


@pytest.mark.parametrize("waited", [0.0, STARVED])
def test_a_loader_that_keeps_up_is_not(waited: float) -> None:
    assert timed(waited).verdict().findings == ()


def test_one_late_batch_says_nothing_of_the_others() -> None:
    """The workers of a new epoch take their time to start."""
    assert timed(0.1, late=60.0).verdict().findings == ()


def test_a_wait_that_any_queue_costs_is_not_noted() -> None:
    assert timed(0.6, length=0.01).verdict().findings == ()
    assert one(timed(0.6, length=0.02).verdict(), "starved")


def test_batches_that_come_several_at_once_are_waited_for_all_the_same() -> None:
    """torch_xla's loaders send eight at a time: seven of eight steps wait for nothing."""
    recording = Recording().train((1, 1, *[0] * 38))
    steps = 0
    for index, event in enumerate(recording.events):
        if isinstance(event, Boundary):
            steps += event.source == "marker"
            late = 8.0 * (steps // 8)
            recording.events[index] = replace(event, seconds=0.5 * steps + late, waited=late)
    starved = one(recording.verdict(), "starved")
    assert "67%" in starved.reason
    assert "1000 of 1500 ms" in starved.reason


HERE = at(STEP)


def failed(site: Site | None = HERE, expected: int | None = 10, background: bool = True) -> LoaderFailed:
    return LoaderFailed(site, "ValueError: broken", 6, expected, background)


def test_an_error_in_the_thread_of_a_loader_fails() -> None:
    recording = Recording().train(GOOD)
    recording.events += [failed(), failed()]
    verdict = recording.verdict()
    lost = one(verdict, "samples-lost")
    assert (verdict.verdict, lost.line, lost.count) == ("fail", STEP, 2)
    assert "after 6 of 10 batches, 2 times" in lost.reason


def test_an_error_that_the_script_sees_is_its_own() -> None:
    recording = Recording().train(GOOD)
    recording.events.append(failed(background=False))
    assert recording.verdict().verdict == "pass"


def test_a_stream_has_no_length() -> None:
    recording = Recording().train(GOOD)
    recording.events.append(failed(expected=None))
    assert "after 6 batches" in one(recording.verdict(), "samples-lost").reason


def test_a_tie_that_came_undone_fails() -> None:
    recording = Recording().train(GOOD)
    recording.events.append(Untied(at(STEP), ("encoder.weight", "decoder.weight")))
    verdict = recording.verdict()
    untied = one(verdict, "untied")
    assert (verdict.verdict, untied.line, untied.rule) == ("fail", STEP, "XP205")
    assert "model.decoder.weight = model.encoder.weight" in untied.advice


def test_many_names_are_counted() -> None:
    recording = Recording().train(GOOD)
    recording.events.append(Untied(at(STEP), tuple(f"layers.{i}.weight" for i in range(6))))
    assert "layers.0.weight and 5 more were one parameter" in one(recording.verdict(), "untied").reason


@pytest.mark.parametrize("event", [failed(), failed(site=None, expected=None), Untied(at(STEP), ("a", "b"))])
def test_the_events_survive_the_file(event: LoaderFailed | Untied) -> None:
    assert decode(encode(event)) == event


SCRIPT = """
import torch, torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    def __len__(self):
        return 24

    def __getitem__(self, index):
        if index == 17:
            raise ValueError(f"broken sample {index}")  # lost
        return torch.randint(0, 10, (5,))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 8)
        self.out = nn.Linear(8, 10, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, x):
        return self.out(self.embed(x))


device = torch_xla.device()
model = Model().to(device)  # untied
again = Model().to(device)
again.out.weight = again.embed.weight
opt = torch.optim.SGD([*model.parameters(), *again.parameters()], lr=0.1)
for epoch in range(2):
    for x in pl.MpDeviceLoader(DataLoader(Samples(), batch_size=4), device):
        loss = nn.functional.cross_entropy((model(x) + again(x)).flatten(0, 1), x.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


def test_both_are_seen_in_a_script(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    verdict = verify(VerifyRequest(script=script, directory=tmp_path))
    lines = {line.rpartition("# ")[2]: number for number, line in enumerate(SCRIPT.splitlines(), 1) if "  # " in line}
    assert verdict.verdict == "fail"
    assert {item.kind: item.line for item in verdict.findings if item.severity == "fail"} == {
        "samples-lost": lines["lost"],
        "untied": lines["untied"],
    }
    assert "after 4 of 6 batches, 2 times" in one(verdict, "samples-lost").reason
