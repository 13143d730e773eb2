"""How often code of a loop runs."""

from __future__ import annotations

import ast

import pytest

from xlaport.facts.frequency import is_now_and_then, is_on_every_pass
from xlaport.facts.module import Module


@pytest.mark.parametrize(
    "test",
    [
        "step % 100 == 0",
        "0 == (step + 1) % 100",
        "not step % 100",
        "verbose and step % 100 == 0",
        "step % 100 == 0 or step == last - 1",
    ],
)
def test_every_nth_step_is_now_and_then(test: str) -> None:
    assert is_now_and_then(ast.parse(test, mode="eval").body)


@pytest.mark.parametrize(
    "test", ["step % 100", "step == last", "step % 100 == 0 or verbose", "loss < 1", "step == 1 or step == 2"]
)
def test_other_conditions_are_not(test: str) -> None:
    assert not is_now_and_then(ast.parse(test, mode="eval").body)


@pytest.mark.parametrize(
    ("test", "body", "orelse"),
    [
        ("step % 100 == 0", False, False),
        ("step % 100", True, False),
        ("step % 2", True, True),
        ("verbose", True, True),
        ("loss < 1", False, False),
        ("step > warmup", True, False),
        ("step <= args.warmup", False, True),
        ("100 <= step", True, False),
        ("step > total - 100", False, False),
        ("step > loss", False, False),
    ],
)
def test_branches_of_a_loop(test: str, body: bool, orelse: bool) -> None:
    body_of_loop = f"    loss = step\n    if {test}:\n        one()\n    else:\n        two()\n"
    module = Module(f"for step in range(9):\n{body_of_loop}")
    (loop,) = (node for node in module.nodes if isinstance(node, ast.For))
    calls = {c.func.id: c for c in module.calls if isinstance(c.func, ast.Name)}
    assert is_on_every_pass(module, loop, calls["one"]) is body
    assert is_on_every_pass(module, loop, calls["two"]) is orelse


@pytest.mark.parametrize(
    ("loop", "is_after_warm_up"),
    [
        ("for step, x in enumerate(batches):\n    pass", True),
        ("while step < 9:\n    step += 1", True),
        ("while step < 9:\n    step += 1\n    if done: step = 0", False),
        ("while step < 9:\n    step -= 1", False),
        ("for step in range(9, 0, -1):\n    pass", False),
        ("for step in places:\n    pass", False),
        ("for x in batches:\n    pass", True),  # of a number that stays
    ],
)
def test_a_warm_up_ends_where_the_number_only_grows(loop: str, is_after_warm_up: bool) -> None:
    module = Module(f"{loop}\n    if step > warmup:\n        one()\n")
    (there,) = (node for node in module.nodes if isinstance(node, ast.For | ast.While))
    (call,) = (c for c in module.calls if isinstance(c.func, ast.Name) and c.func.id == "one")
    assert is_on_every_pass(module, there, call) is is_after_warm_up
