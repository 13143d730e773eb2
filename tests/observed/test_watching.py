"""What the probe's watcher tells of values: of which sort they are, and nothing more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from xlaport.config import Config
from xlaport.observed.watching import watched
from xlaport.verify.probe.watching import _Watcher


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


def helper() -> None:
    """Does nothing."""


def told(tmp_path: Path, *values: Any) -> dict[str, Any]:
    """What is told of an expression that gave these, one after the other."""
    watcher = _Watcher(str(tmp_path))
    for value in values:
        assert watcher.seen(3, value) is value
    watcher.finish()
    (file,) = tmp_path.glob("*.json")
    found = json.loads(file.read_text(encoding="utf-8"))
    shown: dict[str, Any] = found["expressions"]["3"]
    return shown


@pytest.mark.parametrize(
    ("value", "sort"),
    [
        (torch.zeros(2, 3), {"kind": "tensor", "device": "cpu", "holds": "float", "rank": 2}),
        (torch.tensor(True), {"kind": "tensor", "device": "cpu", "holds": "bool", "rank": 0}),
        (1.5, {"kind": "number", "holds": "float"}),
        ("secret", {"kind": "text"}),
        (None, {"kind": "none"}),
        (torch.float64, {"kind": "class", "name": "torch.float64"}),
        (torch.optim.SGD, {"kind": "class", "name": "torch.optim.SGD"}),
        (nn.functional.mse_loss, {"kind": "function", "name": "torch.nn.functional.mse_loss"}),
        (torch.relu, {"kind": "function", "name": "torch.relu"}),
        (["a", "b"], {"kind": "row", "element": {"kind": "text"}}),
        ([torch.zeros(2), 1], {"kind": "row"}),
        ({"a": 1}, {"kind": "table", "element": {"kind": "number", "holds": "int"}}),
        (object(), {"kind": "other"}),
        ([].append, {"kind": "other"}),
    ],
    ids=lambda value: str(value)[:20],
)  # fmt: skip
def test_the_sort_of_a_value(tmp_path: Path, value: Any, sort: dict[str, Any]) -> None:
    assert told(tmp_path, value)["sorts"] == [sort]


def test_what_is_the_programs_own_is_told_with_its_file(tmp_path: Path) -> None:
    assert told(tmp_path, Net())["sorts"] == [{"kind": "module", "name": "Net", "file": __file__, "made": 3}]
    assert told(tmp_path, helper)["sorts"] == [{"kind": "function", "name": "helper", "file": __file__}]
    made = dict[str, Any]()
    exec("def made(): pass", made)
    assert told(tmp_path, made["made"])["sorts"] == [{"kind": "function"}]


def test_no_value_is_told(tmp_path: Path) -> None:
    told(tmp_path, "secret", 4711, {"secret": 4711}, torch.tensor([4711]))
    text = "".join(file.read_text(encoding="utf-8") for file in tmp_path.glob("*.json"))
    assert "secret" not in text
    assert "4711" not in text


def test_numbers_that_change_and_tensors_of_several_ranks(tmp_path: Path) -> None:
    assert told(tmp_path, 1, 1, 2)["changes"]
    assert not told(tmp_path, 1, 1, 1)["changes"]
    assert len(told(tmp_path, torch.zeros(1), torch.zeros(1, 1), torch.zeros(2))["sorts"]) == 2


def test_many_sorts_are_other(tmp_path: Path) -> None:
    assert {"kind": "other"} in told(tmp_path, *(torch.zeros([1] * rank) for rank in range(12)))["sorts"]


def test_an_object_is_known_by_what_gave_it_first(tmp_path: Path) -> None:
    watcher = _Watcher(str(tmp_path))
    net = Net()
    watcher.seen(5, net)
    watcher.seen(9, net)
    assert next(iter(watcher.found[9].sorts.values()))["made"] == 5


def test_a_value_that_cannot_be_looked_at_passes(tmp_path: Path) -> None:
    class Broken(torch.Tensor):
        @property
        def device(self) -> Any:
            raise RuntimeError

    value = torch.zeros(1).as_subclass(Broken)
    assert _Watcher(str(tmp_path)).seen(1, value) is value


def test_of_what_cannot_be_looked_at_once_nothing_is_known(tmp_path: Path) -> None:
    class Broken(torch.Tensor):
        @property
        def device(self) -> Any:
            raise RuntimeError

    assert {"kind": "other"} in told(tmp_path, torch.zeros(1), torch.zeros(1).as_subclass(Broken))["sorts"]


def test_nothing_is_kept_alive_and_another_object_in_its_place_is_another(tmp_path: Path) -> None:
    watcher = _Watcher(str(tmp_path))
    net = Net()
    gone = weakref.ref(net)
    watcher.seen(1, net)
    watcher.makers[4711] = watcher.makers[id(net)]
    del net
    assert gone() is None
    other = Net()
    watcher.makers[id(other)] = watcher.makers[4711]
    watcher.seen(2, other)
    assert next(iter(watcher.found[2].sorts.values()))["made"] == 2


def test_what_looks_into_a_container_runs_nothing_of_the_scripts_and_takes_no_time(tmp_path: Path) -> None:
    class Rows(list[int]):
        def __iter__(self) -> Any:
            raise AssertionError("it was asked")

    class Table(dict[str, int]):
        def values(self) -> Any:
            raise AssertionError("it was asked")

    element = {"kind": "number", "holds": "int"}
    assert told(tmp_path, Rows([1, 2]))["sorts"] == [{"kind": "row", "element": element}]
    assert told(tmp_path, Table(a=1))["sorts"] == [{"kind": "table", "element": element}]
    watcher, long, begun = _Watcher(str(tmp_path)), [0] * 1_000_000, time.process_time()
    for _ in range(200):
        watcher.seen(1, long)
    assert time.process_time() - begun < 0.1


def test_a_process_that_is_killed_while_it_writes_leaves_nothing_in_part(tmp_path: Path) -> None:
    watcher = _Watcher(str(tmp_path))
    watcher.seen(1, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json, "dump", lambda data, file: os.fstat(file.write("{") - 2))
        watcher.finish()
    assert not list(tmp_path.glob("*.json"))


def test_what_was_seen_is_there_before_the_process_ends(tmp_path: Path) -> None:
    script = f"""
import os, threading, time
from xlaport.verify.probe import watching
watching._BETWEEN = 0.01
watcher = watching._Watcher({str(tmp_path)!r})
watcher.keep_written()
watcher.seen(3, 1.5)
assert threading.active_count() == 1
while not any(name.endswith(".json") for name in os.listdir({str(tmp_path)!r})):
    time.sleep(0.01)
os._exit(1)
"""
    subprocess.run([sys.executable, "-c", script], timeout=60)
    (file,) = tmp_path.glob("*.json")
    assert list(json.loads(file.read_text(encoding="utf-8"))["expressions"]) == ["3"]


def test_to_look_at_a_tensor_calls_nothing_of_the_scripts(tmp_path: Path) -> None:
    class Counting(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, *given: Any, **named: Any) -> Any:
            raise AssertionError("it was asked")

    value = torch.zeros(2)
    with Counting():
        seen = told(tmp_path, value)
    assert seen["sorts"] == [{"kind": "tensor", "device": "cpu", "holds": "float", "rank": 1}]


def test_files_with_the_same_text_are_known_together(tmp_path: Path) -> None:
    text = "import json\nimport torch\nfound = json.loads('[1]')[0]\nprint(found)\n"
    for name in ("one.py", "other.py", "third.py"):
        (tmp_path / name).write_text(text)
    files = sorted(tmp_path.glob("*.py"))
    with watched(tmp_path, files, Config()) as watching:
        numbers = [number for number, (path, _) in watching.nodes.items() if path.name != "third.py"]
        for at, number in enumerate(numbers):
            watcher = _Watcher(str(watching.folder))
            watcher.seen(number, [1, "a"][at * 2 // len(numbers)])
            watcher.finish()
            (watching.folder / f"{os.getpid()}.json").rename(watching.folder / f"{at}.json")
        files[2].unlink()
        files[2].mkdir()  # the script may do so
        seen = watching.observed(tmp_path, "one.py", 1, {})
    ((name, expressions),) = seen.files.values()
    assert name == "one.py"
    assert all([sort.kind for sort in each.sorts] == ["number", "text"] for each in expressions)
    assert expressions
    assert files[0].read_text() == text
