"""The inputs by number: the same seed and number make the same file, on every machine with the same corpus."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tools.fuzz.mutations import mutated, spelled
from xlaport import engine
from xlaport.config import Config

ROOT = Path(__file__).parent.parent.parent
LARGEST = 30_000
"""Bytes of a program to start from: larger ones take longer and say little more."""

HOWS: dict[str, engine.Settings] = {
    "safe": Config().settings(),
    "unsafe": Config(unsafe=True).settings(),
    "multi": Config(multi=True).settings(),
    "multi unsafe": Config(multi=True, unsafe=True).settings(),
}
"""What a conversion may be asked for."""


@dataclass(frozen=True)
class Input:
    """One file, how to convert it, and what it was made from."""

    number: int
    origin: Path
    how: str
    data: bytes


class Corpus:
    """Programs to start from: those of this repository, and of folders named besides."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        own = [*ROOT.glob("tests/snapshots/*/*/before.py"), *ROOT.glob("tests/snapshots/*/*/before/**/*.py")]
        samples = [*ROOT.glob("samples/*/*.py"), *ROOT.glob("tests/loops/shapes/*.py")]
        others = [path for folder in folders for path in folder.rglob("*.py") if _is_of_interest(path)]
        self.kinds = [found for found in (sorted(own), sorted(samples), sorted(others)) if found]

    def choose(self, chance: random.Random) -> Path:
        """A program, each kind as often as the others."""
        return chance.choice(chance.choice(self.kinds))


def _is_of_interest(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size <= LARGEST and b"torch" in path.read_bytes()
    except OSError:
        return False


@lru_cache(maxsize=2000)
def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def make(corpus: Corpus, seed: int, number: int) -> Input:
    """The input of this number."""
    chance = random.Random(seed * 1_000_003 + number)
    origin = corpus.choose(chance)
    donors = [_text(corpus.choose(chance)) for _ in range(3)]
    text = mutated(_text(origin), chance, donors)
    return Input(number, origin, chance.choice(list(HOWS)), spelled(text, chance))


def inputs(corpus: Corpus, seed: int, numbers: Sequence[int]) -> Iterator[Input]:
    """The inputs of these numbers."""
    return (make(corpus, seed, number) for number in numbers)
