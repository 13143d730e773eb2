"""Graphs for slices: how they are spread over the chips, what a chip has of them, and where the chips meet."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tpu.test_verifying import call
from xlaport.errors import UserError
from xlaport.tpu.chips import chip_of
from xlaport.tpu.program import group_size
from xlaport.tpu.spreading import ONE, Spread, as_on_chips, devices_of, spread_of
from xlaport.verify.probe import keeping
from xlaport.verify.wire import encoded, message_of, numbers_of

SPMD = """\
import torch
import torch_xla
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr

xr.use_spmd()
device = torch_xla.device()
mesh = xs.get_1d_mesh("fsdp")
model = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 512)).to(device)
for parameter in model.parameters():
    xs.mark_sharding(parameter, mesh, ("fsdp",) + (None,) * (parameter.dim() - 1))
average = [parameter.detach().clone() for parameter in model.parameters()]
for copy in average:
    xs.mark_sharding(copy, mesh, ("fsdp",) + (None,) * (copy.dim() - 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for step in range(8):
    rows = torch.randn(64, 512).to(device)
    xs.mark_sharding(rows, mesh, ("fsdp", None))
    loss = model(rows).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
"""
WEIGHTS = (512 * 2048 * 2 + 2048 + 512) * 4
REPLICAS = """\
import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr


def train(index):
    device = torch_xla.device()
    model = torch.nn.Linear(512, 512).to(device)
    table = torch.randn(1024 // xr.world_size(), 512, device=device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(8):
        rows = torch.randn(64, 512).to(device)
        whole = xm.all_gather(table)
        loss = (model(rows) @ whole.T).square().mean()
        table += xm.reduce_scatter(xm.REDUCE_SUM, 0.01 * whole, 1.0, 0, xr.world_size())
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()


if __name__ == "__main__":
    torch_xla.launch(train)
"""
TABLE = 1024 * 512 * 4


def verified(folder: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "train.py").write_text(script, encoding="utf-8")
    return call(folder, *arguments, "train.py")


@pytest.fixture(scope="module")
def slice_(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    done = verified(tmp_path_factory.mktemp("spmd"), SPMD, "--tpu", "v5e-8", "--output-format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_chip_of_a_slice_has_its_shards_only(slice_: dict[str, Any]) -> None:
    (chip,) = slice_["chips"]
    assert (chip["tpu"], chip["chips"], chip["used"]) == ("v5e-8", 8, 8)
    (graph,) = chip["graphs"]
    kinds = graph["memory"]["kinds"]
    assert kinds["parameters"] == pytest.approx(WEIGHTS / 8, rel=0.02)
    assert kinds["optimizer state"] == pytest.approx(2 * WEIGHTS / 8, rel=0.02)
    assert graph["beside"] == WEIGHTS // 8  # the average, which no step uses
    assert graph["memory"]["peak"] < WEIGHTS  # nothing is there as a whole, in and out


def test_collectives_are_told_by_what_they_bring_to_a_chip(slice_: dict[str, Any]) -> None:
    (graph,) = slice_["chips"][0]["graphs"]
    told = graph["collectives"]
    assert [item["bytes"] for item in told] == sorted((item["bytes"] for item in told), reverse=True)
    assert {item["path"] for item in told} <= {"train.py", None}
    moved = Counter[str]()
    for item in told:
        moved[item["kind"]] += item["bytes"]
    # The compiler sends the activations (64 rows of 512 and of 2,048, in bfloat16) in place of the weights.
    assert moved["all-gather"] == (64 * 512 + 64 * 2048) * 2 * 7 // 8
    assert moved["reduce-scatter"] == 64 * 2048 * 4 * 7 // 8
    assert 0 < moved["all-reduce"] < 64


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    return verified(tmp_path_factory.mktemp("played"), REPLICAS, "--tpu", "v5e-4", "--replicas", "4")


def test_replicas_that_are_played_meet_as_on_a_tpu(played: subprocess.CompletedProcess[str]) -> None:
    assert played.returncode == 0, played.stdout + played.stderr
    own = TABLE // 4
    assert f"1 all-gather of {own * 3 / 2**20:.1f} MiB" in played.stdout
    assert f"1 reduce-scatter of {own * 3 / 2**20:.1f} MiB" in played.stdout
    assert f"1 all-reduce of {(512 * 512 + 512) * 4 * 1.5 / 2**20:.1f} MiB" in played.stdout
    assert "train.py:14" in played.stdout


def test_a_program_of_one_chip_leaves_the_others_idle(tmp_path: Path) -> None:
    done = verified(tmp_path, REPLICAS, "--tpu", "v5e-4")
    assert done.returncode == 0, done.stdout + done.stderr
    told = " ".join(done.stdout.split())
    assert "TPU v5e-4: the program uses 1 of its 4 chips" in told
    assert "`--replicas 4`" in told
    assert "all-gather" not in told


@pytest.mark.parametrize(
    ("chips", "replicas", "words"),
    [
        (("v5e-4", "v5e-8"), 1, r"^--tpu v5e-4, v5e-8: .* one number of chips"),
        (("v5e", "v6e-8"), 1, r"^--tpu v5e, v6e-8: "),
        (("v5e-8",), 4, r"^--tpu v5e-8 has 8 chips, and --replicas plays 4: play 8$"),
    ],
)
def test_what_one_run_cannot_be_is_one_line(chips: tuple[str, ...], replicas: int, words: str) -> None:
    with pytest.raises(UserError, match=words):
        devices_of([*map(chip_of, chips)], replicas)


def test_devices_that_a_run_has() -> None:
    assert devices_of([chip_of("v5e"), chip_of("v6e")], 1) == 1
    assert devices_of([chip_of("v5e-8"), chip_of("v6e-8")], 1) == 8
    assert devices_of([chip_of("v5e-8")], 8) == 1  # each replica has its own
    assert devices_of([chip_of("v5e")], 2) == 1


def module(partitions: int) -> bytes:
    return encoded([(1, encoded([(15, encoded([(1, 1), (2, partitions)]))]))])


def test_a_mesh_of_another_size_is_one_line() -> None:
    assert spread_of(module(8), chip_of("v5e-8"), 1, "a graph") == Spread(1, 8)
    assert spread_of(module(1), chip_of("v5e-8"), 8, "a graph") == Spread(8)
    assert spread_of(module(1), chip_of("v5e"), 8, "a graph") == ONE
    for code in ("v5e", "v5e-4"):
        with pytest.raises(UserError, match=r"the graph of a\.py:3 is for a mesh of 8 devices"):
            spread_of(module(8), chip_of(code), 1, "the graph of a.py:3")


def test_sizes_of_groups() -> None:
    listed = encoded([(1, 0), (1, 1), (1, 2)])
    assert group_size({}) == 0
    assert group_size(message_of(encoded([(49, listed)]))) == 3
    assert group_size(message_of(encoded([(87, encoded([(1, listed)]))]))) == 3
    assert group_size(message_of(encoded([(87, encoded([(2, encoded([(1, 2), (2, 4)]))]))]))) == 4


def graph(*copies: int, groups: bytes = b"") -> bytes:
    """A module with a sum over replicas of some values (1 or 2) that are put one behind the other."""

    def item(number: int, op: bytes, *operands: int, more: bytes = b"") -> tuple[int, bytes]:
        return 2, encoded([(2, op), (35, number), *((36, each) for each in operands)]) + more

    items = [
        *(item(number, b"parameter") for number in (1, 2, 3)),
        item(4, b"concatenate", *copies),
        item(5, b"tuple", 4, 3),
        item(6, b"get-tuple-element", 5),
        item(7, b"get-tuple-element", 5, more=encoded([(13, 1)])),
        item(8, b"all-reduce", 6, 7, more=groups),
    ]
    return encoded([(3, encoded(items))])


def ops(data: bytes) -> list[str]:
    (computation,) = message_of(data)[3]
    return [message_of(item)[2][-1].decode() for item in message_of(computation)[2]]


def test_what_stands_for_an_all_gather_becomes_one() -> None:
    made = as_on_chips(graph(1, 1, 1, 1), Spread(4))
    assert ops(made)[3:] == ["all-gather", "tuple", "get-tuple-element", "get-tuple-element", "tuple"]
    gather = message_of(message_of(message_of(made)[3][0])[2][3])
    assert numbers_of(gather[36]) == [1]
    assert group_size(gather) == 4
    pairs = encoded([(49, encoded([(1, 0), (1, 1)])), (49, encoded([(1, 2), (1, 3)]))])
    in_pairs = as_on_chips(graph(1, 1, groups=pairs), Spread(4))
    gather = message_of(message_of(message_of(in_pairs)[3][0])[2][3])
    assert (len(gather[49]), group_size(gather)) == (2, 2)


@pytest.mark.parametrize("copies", [(1, 2, 1, 1), (1, 1), (1, 2)])
def test_other_sums_stay(copies: tuple[int, ...]) -> None:
    data = graph(*copies)
    assert as_on_chips(data, Spread(4)) == data
    assert as_on_chips(graph(1, 1, 1, 1), Spread(1, 4)) == graph(1, 1, 1, 1)


@pytest.mark.parametrize(
    ("sharding", "sizes"),
    [
        ("", (10, 6, 3)),
        ("{replicated}", (10, 6, 3)),
        ("{devices=[8,1,1]0,1,2,3,4,5,6,7}", (2, 6, 3)),
        ("{devices=[4,2,1]<=[8]}", (3, 3, 3)),
        ("{devices=[1,2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}", (10, 3, 3)),
        ("{maximal device=3}", (10, 6, 3)),
    ],
)
def test_what_a_device_has_of_a_tensor(monkeypatch: pytest.MonkeyPatch, sharding: str, sizes: tuple[int, ...]) -> None:
    monkeypatch.setattr(keeping, "_sharding", lambda tensor: sharding)
    assert keeping._sizes(SimpleNamespace(shape=(10, 6, 3))) == sizes
