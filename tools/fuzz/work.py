"""One input made, converted and looked at: what a process of the pool does."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.fuzz.inputs import HOWS, Corpus, Input, make
from tools.fuzz.minimising import minimised
from tools.fuzz.properties import Outcome, outcome
from xlaport import registry
from xlaport.rule import Rule


@dataclass(frozen=True)
class Job:
    """Which input: the folders of the corpus, the seed, the number."""

    folders: tuple[Path, ...]
    seed: int
    number: int

    def input(self) -> Input:
        """The input."""
        return make(_corpus(self.folders), self.seed, self.number)

    def run(self) -> tuple[int, Outcome, str]:
        """The number, what became of the input, and a digest of that."""
        made = self.input()
        found = outcome(made.data, _rules(), HOWS[made.how])
        text = repr((found.data, found.findings, found.refused))
        return self.number, found, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def smallest(self, kind: str) -> bytes:
        """The smallest input that has a problem of this kind."""
        made = self.input()

        def is_same(data: bytes) -> bool:
            problem = outcome(data, _rules(), HOWS[made.how]).problem
            return problem is not None and problem.kind == kind

        return minimised(made.data, is_same) if kind != "slow" else made.data


@cache
def _corpus(folders: tuple[Path, ...]) -> Corpus:
    return Corpus(folders)


@cache
def _rules() -> Sequence[Rule]:
    return registry.load()
