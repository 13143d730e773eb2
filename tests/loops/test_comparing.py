"""What the comparison of two runs must not miss."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from .comparing import differences
from .counts import measured


def tensor(*values: float, kind: str = "tensor", dtype: str = "torch.float32") -> dict[str, Any]:
    return {"kind": kind, "dtype": dtype, "shape": [len(values)], "requires_grad": False, "values": list(values)}


RUN: dict[str, Any] = {
    "losses": [tensor(2.0), tensor(1.0)],
    "leaves": {
        "model.weight": tensor(1.0, 2.0, kind="parameter"),
        "model.weight.grad": tensor(0.5, 0.25),
        "model.head": tensor(1.0, 2.0, kind="parameter"),
        "best": {"kind": "float", "value": 0.25},
        "step": {"kind": "int", "value": 24},
    },
    "objects": [["model.weight", "model.head"], ["model.weight.grad"]],
    "memory": [["model.weight", "model.head"], ["model.weight.grad"]],
    "printed": "step 4: loss 1.0793\ntensor(0.5000)\n",
    "counts": None,
}


def set_leaf(path: str, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda run: run["leaves"][path].update(values)


def change(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda run: run.update({key: value})


def test_the_same_run_has_no_differences() -> None:
    assert differences(RUN, copy.deepcopy(RUN)) == []


def test_what_is_rounded_otherwise_or_names_its_device_is_the_same() -> None:
    port = copy.deepcopy(RUN)
    port["leaves"]["best"]["value"] = 0.2500001
    port["printed"] = "step 4: loss 1.0794\ntensor(0.5000, device='xla:0')\n"
    assert differences(RUN, port) == []


@pytest.mark.parametrize(
    ("alter", "told"),
    [
        (lambda run: run["losses"].pop(), "1 losses and not 2"),
        (lambda run: run["losses"][1].update(values=[1.01]), "a loss has other values"),
        (set_leaf("model.weight", values=[1.0, 2.1]), "model.weight has other values"),
        (set_leaf("best", kind="int"), "best is a int and not a float"),
        (set_leaf("model.head", dtype="torch.half"), "model.head has dtype torch.half and not torch.float32"),
        (set_leaf("model.weight", requires_grad=True), "model.weight has requires_grad True and not False"),
        (set_leaf("model.weight.grad", values=[0.5, 0.0]), "model.weight.grad has other values"),
        (set_leaf("model.weight", kind="tensor"), "model.weight is a tensor and not a parameter"),
        (lambda run: run["leaves"].pop("model.weight.grad"), "model.weight.grad is missing"),
        (lambda run: run["leaves"].update({"model.more": tensor(0.0)}), "model.more is new"),
        (lambda run: run["leaves"].update(best=tensor(0.25)), "best is a tensor and not a float"),
        (set_leaf("best", value=0.26), "best is 0.26 and not 0.25"),
        (set_leaf("step", value=25), "step is 25 and not 24"),
        (
            change("objects", [["model.weight"], ["model.head"], ["model.weight.grad"]]),
            "other tensors share objects",
        ),
        (change("memory", [["model.weight", "model.head", "model.weight.grad"]]), "other tensors share memory"),
        (change("printed", "step 4: loss 1.0803\ntensor(0.5000)\n"), "prints 1.0803 and not 1.0793"),
        (
            change("printed", "step 4.0: loss 1.0793\ntensor(0.5000)\n"),
            "prints 'step 4.0: loss 1.0793' and not 'step 4: loss 1.0793'",
        ),
        (change("printed", "step 4: loss 1.0793\n"), "prints '' and not 'tensor(0.5000)'"),
    ],
)  # fmt: skip
def test_a_difference_is_told(alter: Callable[[dict[str, Any]], Any], told: str) -> None:
    port = copy.deepcopy(RUN)
    alter(port)
    assert told in differences(RUN, port)


def test_a_new_name_of_the_module_is_no_difference() -> None:
    port = copy.deepcopy(RUN)
    port["leaves"]["batch_total"] = tensor(0.0)
    assert differences(RUN, port) == []


def steps(*counts: tuple[int, int, int, bool]) -> dict[str, Any]:
    keys = ("compiles", "executions", "transfers", "logged")
    intervals = [dict(zip(keys, one, strict=True)) for one in counts]
    return {**RUN, "counts": {"intervals": intervals, "left_over": False, "fallbacks": {}}}


GOOD = [(1, 1, 0, False), (1, 1, 0, False), (0, 1, 0, False), (0, 2, 3, True), (0, 1, 0, False), (0, 1, 0, False)]


def test_a_run_that_settles_meets_the_goal() -> None:
    found = measured(steps(*GOOD), [])
    assert found.meets_the_goal(6)
    assert (found.warm_up, found.logging) == (2, "2 + 3")


@pytest.mark.parametrize(
    "last",
    [(1, 1, 0, False), (1, 1, 0, True), (0, 2, 0, False), (0, 0, 0, False), (0, 1, 1, False)],
    ids=["compiles", "compiles when it logs", "runs twice", "runs nothing", "reads"],
)
def test_one_step_that_differs_misses_the_goal(last: tuple[int, int, int, bool]) -> None:
    assert not measured(steps(*GOOD[:-1], last), []).meets_the_goal(6)


def test_other_things_that_miss_the_goal() -> None:
    assert not measured(steps(*GOOD), []).meets_the_goal(5)
    assert not measured(steps(*GOOD), ["best is missing"]).meets_the_goal(6)
    every_step_logs = [(c, e, t, True) for c, e, t, _ in GOOD]
    assert not measured(steps(*every_step_logs), []).meets_the_goal(6)
    left, fallback = steps(*GOOD), steps(*GOOD)
    left["counts"]["left_over"] = True
    fallback["counts"]["fallbacks"] = {"aten::nonzero": 1}
    assert not measured(left, []).meets_the_goal(6)
    assert not measured(fallback, []).meets_the_goal(6)
    assert not measured({"error": "Traceback\nRuntimeError: it broke"}, []).meets_the_goal(0)
