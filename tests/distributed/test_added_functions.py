"""What is added to files for several processes, in two on the CPU: beside FullyShardedDataParallel and its sister."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from rules._lib.shapes.helpers import helpers

SCRIPT = Path(__file__).with_name("sharded_twice.py")


def _run(*words: str | Path) -> None:
    """Run a script in two processes."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    launcher = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", f"--master_port={port}"]
    done = subprocess.run([*launcher, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]


def _trained(code: Path, output: Path) -> list[list[str]]:
    """What each of two processes has written: what is sharded, losses, norms of gradients, weights."""
    _run(SCRIPT, code, output)
    return [output.with_suffix(f".{rank}").read_text(encoding="utf-8").splitlines() for rank in (0, 1)]


def test_the_helper_shards_and_trains_as_the_class_does(tmp_path: Path) -> None:
    """By five policies and block by block, in float32 and bfloat16, with clipped gradients, to the same weights."""
    code = tmp_path / "helpers.py"
    texts = (helpers()[name].replace("{torch}", "torch") for name in ("shard_fully", "whole_state_dict"))
    code.write_text("\n\n\n".join(texts), encoding="utf-8")
    wanted, found = _trained(tmp_path / "none", tmp_path / "class"), _trained(code, tmp_path / "helper")
    assert len(wanted[0]) == 240
    lines = {"sizes False ['', '1', '2']", "modules False ['', '1.0', '1.2', '2.0', '2.2', '3.layers.0', '3.layers.1']"}
    assert lines <= {*wanted[0]}
    assert found == wanted


def test_gradients_are_averaged_as_distributed_data_parallel_does(tmp_path: Path) -> None:
    code = tmp_path / "helper.py"
    code.write_text(helpers()["average_gradients"].replace("{torch}", "torch"), encoding="utf-8")
    _run(SCRIPT.with_name("averaged.py"), code)


@pytest.mark.parametrize("kind", ["replicated", "sharded"])
def test_two_processes_train_on_their_shares_as_one_does_on_whole_batches(tmp_path: Path, kind: str) -> None:
    """They begin with seeds of their own; a batch that two cannot divide is refused."""
    code, script = tmp_path / "helpers.py", SCRIPT.with_name("shared_work.py")
    names = ("share_work", "OwnShare", "shard_fully", "whole_state_dict")
    code.write_text("\n\n\n".join(helpers()[name].replace("{torch}", "torch") for name in names), encoding="utf-8")
    subprocess.run([sys.executable, script, code, kind, tmp_path / "one"], check=True, timeout=300)
    _run(script, code, kind, tmp_path / "two")
    one, *two = ((tmp_path / name).read_text(encoding="utf-8").splitlines() for name in ("one.0", "two.0", "two.1"))
    assert len(one) == 14
    refused = [
        "2 processes cannot divide a batch of 3: use drop_last",
        "the processes have begun with other weights: make them behind share_work()",
        "the gradients of a closure are not averaged: average them in it",
    ]
    assert two[1] == [*one, *refused]
    assert two[0] == [*one, refused[0], refused[2]]  # the first has the first one's weights
