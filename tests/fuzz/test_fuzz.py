"""A short part of ``python -m tools.fuzz``, always the same, and programs that a grammar makes."""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import hypothesmith
import pytest
from hypothesis import HealthCheck, example, given, settings

from tools.fuzz.inputs import HOWS, Corpus, make
from tools.fuzz.minimising import minimised
from tools.fuzz.mutations import MUTATIONS, compiles, mutated, spelled
from tools.fuzz.properties import Outcome, outcome
from tools.fuzz.work import Job
from xlaport import registry
from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Replace, Rule

SEED = 20261123
INPUTS = 128
"""Some 15 seconds of CPU."""


@cache
def result(number: int) -> Outcome:
    return Job((), SEED, number).run()[1]


@pytest.mark.parametrize("part", range(8))
def test_mutated_programs_are_ported_or_refused(part: int) -> None:
    for number in range(part, INPUTS, 8):
        found = result(number)
        again = f"python -m tools.fuzz --seed {SEED} --only {number}"
        assert found.problem is None, f"{found.problem.kind}: {found.problem.detail}; to see it: {again}"


def test_some_of_them_are_ported_and_some_refused() -> None:
    found = [result(number) for number in range(0, INPUTS, 8)]
    assert any(each.changed for each in found)
    assert any(not each.changed for each in found)


def test_the_hash_seed_changes_nothing() -> None:
    command = [sys.executable, "-m", "tools.fuzz", "--digests", "--inputs", str(INPUTS), "--seed", str(SEED)]
    digests = [
        json.loads(subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, stdout=subprocess.PIPE
        ).stdout)
        for seed in ("1", "2")
    ]  # fmt: skip
    assert len(digests[0]) == 7
    assert digests[0] == digests[1]


@given(hypothesmith.from_grammar())
@example("x = 1 # \\\ny = 2\n")
@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
def test_programs_of_the_grammar_stay_as_they_are(text: str) -> None:
    words = sorted({word for rule in registry.load() for word in rule.words})
    # What the rules look for, as a comment: each looks at the program.
    for program in (text, f"{text}\n# torch {' '.join(words)}\n"):
        found = outcome(program.encode("utf-8", "replace"), registry.load(), HOWS["multi unsafe"])
        assert found.problem is None
        assert not found.changed
        assert found.findings == ()


# -- the tool itself ---------------------------------------------------------------------------------------


def test_an_input_is_the_same_each_time() -> None:
    corpus = Corpus()
    assert make(corpus, 1, 7) == make(Corpus(), 1, 7)
    assert make(corpus, 1, 7).data != make(corpus, 2, 7).data


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_mutation_changes_something(mutation: object) -> None:
    assert callable(mutation)
    text = "import torch\n\n\ndef f(x):\n    y = x.cuda()\n    return (y,\n            1)\n"
    assert any(mutation(text, random.Random(seed), [text]) != text for seed in range(20))


def test_most_mutated_programs_are_programs() -> None:
    text = "import torch\n\n\ndef f(x):\n    y = x.cuda()\n    return y\n"
    made = [mutated(text, random.Random(seed), [text]) for seed in range(100)]
    assert sum(map(compiles, made)) > 80
    assert len(set(made)) > 60
    assert len({spelled(text, random.Random(seed))[:3] for seed in range(100)}) >= 3


class Broken(Rule):
    """A rule that fails where it finds a call of `fault`, and one that never settles where it finds `again`."""

    code = "XP998"
    name = "broken"
    summary = "breaks"
    applicability = Applicability.SAFE
    words = ("fault", "again")

    def check(self, context: Context) -> Iterator[Finding]:
        for call in context.module.calls:
            name = ast.unparse(call.func)
            if name == "fault":
                raise KeyError(name)
            if name.startswith("again"):
                yield self.finding(context.span(call), "longer", Replace(context.span(call.func), name + "_"))


def test_a_fault_is_found_and_made_small() -> None:
    def kind(data: bytes) -> str | None:
        problem = outcome(data, [Broken()], HOWS["safe"]).problem
        return problem.kind if problem is not None else None

    assert kind(b"a\nb\nc()\n") is None
    assert kind(b"a\nfault()\nc\n") == "XP998 failed: KeyError"
    assert kind(b"a\nagain()\nc\n") == "the edits of XP998 did not settle"
    small = minimised(b"a\nb\nfault()\nc\nd\n", lambda data: kind(data) == "XP998 failed: KeyError")
    assert small == b"fault()\n"
