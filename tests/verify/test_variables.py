"""Which variable a shape or a number is likely to be; and that looking leaves nothing behind."""

from __future__ import annotations

import gc
import weakref
from collections import UserDict, namedtuple
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from xlaport.verify.probe import frames, loading
from xlaport.verify.probe.variables import Variables, renewed

Pair = namedtuple("Pair", ["left", "right"])


@dataclass
class Batch:
    ids: torch.Tensor


def used(*values: object) -> None:
    """The variables are there until here."""
    assert values


@pytest.fixture(autouse=True)
def _everything_here_is_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_rank", {__file__: 2})


def here(*texts: str) -> list[tuple[str, int]]:
    """The first lines of this file that hold these texts."""
    lines = Path(__file__).read_text().splitlines()
    return [(__file__, next(n for n, line in enumerate(lines, 1) if text in line)) for text in texts]


def test_a_tensor_is_found_in_what_holds_it() -> None:
    plain = torch.zeros(2, 3)
    batch = {"pixels": torch.zeros(4, 5), "more": [torch.zeros(6, dtype=torch.int64)]}
    pair = Pair(torch.zeros(7), torch.zeros(8))
    mine, tokens = Batch(torch.zeros(9)), UserDict({"input_ids": torch.zeros(10)})
    found = Variables()
    names = [found.tensor(shape, []) for shape in ("f32[2,3]", "f32[4,5]", "s64[6]", "f32[8]", "f32[9]", "f32[10]")]
    assert names == ["plain", "batch['pixels']", "batch['more'][0]", "pair.right", "mine.ids", "tokens['input_ids']"]
    assert found.tensor("f32[99]", []) is None
    used(plain, batch, pair, mine, tokens)


def test_of_several_the_one_that_the_line_speaks_of() -> None:
    source, target = torch.zeros(12, 13), torch.zeros(12, 13)
    found = Variables()
    assert found.tensor("f32[12,13]", here("source, target =")) == "source or target"
    assert found.tensor("f32[12,13]", here("    used(target)")) == "target"
    used(target)
    used(source)


def test_a_number_is_named_where_the_line_speaks_of_it() -> None:
    net, rate = torch.nn.Sequential(torch.nn.Dropout(0.25)), 0.125
    net[0].gamma = 1.5
    found = Variables()
    assert found.number(1.5, here("net[0].gamma = 1.5")) == "net.0.gamma"
    assert found.number(0.25, here("net[0].gamma = 1.5")) is None  # net.0.p: the line does not speak of p
    assert found.number(0.125, here("net, rate = torch")) == "rate"
    used(net, rate)


def test_what_fails_when_it_is_looked_at_is_passed_over() -> None:
    def fails(self: object) -> type:
        raise RuntimeError

    sly, known = type("Sly", (), {"__class__": property(fails)})(), torch.zeros(3, 14)
    assert Variables().tensor("f32[3,14]", []) == "known"
    used(sly, known)


def test_looking_keeps_nothing_alive() -> None:
    def step() -> bool:
        loss = torch.zeros(31, 3)
        alive = weakref.ref(loss)
        assert Variables().tensor("f32[31,3]", []) == "loss"
        loss = torch.ones(1)  # as the next step does
        gc.collect()
        return alive() is None and loss is not None

    assert step()


def test_what_the_program_has_of_locals_stays() -> None:
    def step() -> dict[str, object]:
        rate = 0.5
        mine = locals()
        Variables()
        return mine if rate else {}

    assert step()["rate"] == 0.5


def test_a_variable_that_is_made_of_itself(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("seen = torch.cat([seen, x])\nself.ids = pad(self.ids, 3)\ny = f(x)\nif seen == 3:\n")
    assert [renewed([(str(script), line)]) for line in (1, 2, 3, 4, 9)] == ["seen", "self.ids", None, None, None]
    assert renewed([]) is None


def test_the_last_batch_of_a_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_batches", {})
    samples = torch.utils.data.TensorDataset(torch.zeros(70, 3))
    loading._remember(None, torch.utils.data.DataLoader(samples, batch_size=16, drop_last=True))
    assert loading.last_batch("f32[16,3]", "f32[6,3]") is None
    loading._remember(None, torch.utils.data.DataLoader(samples, batch_size=16))
    said = "the last batch of the loader (70 samples in batches of 16)"
    assert loading.last_batch("f32[16,3]", "f32[6,3]") == said
    assert loading.last_batch("f32[16,3]", "f32[7,3]") is None
    assert loading.last_batch("f32[8,3]", "f32[6,3]") is None
    assert loading.last_batch("f32[]", "f32[]") is None
    loading._remember(None, torch.utils.data.DataLoader(iter([1]), batch_size=4))  # a stream has no length
    assert len(loading._batches) == 1


def test_batches_of_a_class_of_ones_own_have_no_last_one_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a size and keeps what is left over, and puts the rows together by itself."""

    class Buckets:
        batch_size, drop_last = 2, False

        def __iter__(self) -> Iterator[list[int]]:
            return iter([[0, 1], [2]])

    monkeypatch.setattr(loading, "_batches", {})
    loading._remember(None, torch.utils.data.DataLoader([0, 1, 2], batch_sampler=Buckets()))
    assert not loading._batches


def test_the_first_names_are_those_of_the_innermost_function() -> None:
    where = torch.zeros(5, 41)

    def inner() -> str | None:
        there = torch.zeros(5, 42)
        found = Variables()
        assert found.tensor("f32[5,41]", []) == "where"
        used(there)
        return found.tensor("f32[5,42]", [])

    assert inner() == "there"
    used(where)
