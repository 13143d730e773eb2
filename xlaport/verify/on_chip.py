"""What the compiler of TPUs says of the graphs of a run: plain objects that the reports are views of."""

from __future__ import annotations

from dataclasses import dataclass

from xlaport.verify.counts import Site

MATRIX, MEMORY = "matrix unit", "memory"


@dataclass(frozen=True)
class SteadyGraph:
    """A graph that the steady steps of a loop run, so often in each of them: `dump` is the file that it is kept in.

    `loop` is where the steps of the loop end, `site` and `kind` the call that runs the graph.
    """

    dump: str
    loop: Site | None
    kind: str
    site: Site | None
    trains: bool
    per_step: float
    backwards: tuple[Site, ...] = ()
    """The lines that start the backward passes of the loop."""


@dataclass(frozen=True)
class Held:
    """One of the largest values in the chip's memory: its bytes, how many of these are padding, what it is (one of the
    kinds of `Memory`), its shape, and the user's line that it comes from.
    """

    bytes: int
    padding: int
    kind: str
    shape: str
    site: Site | None


@dataclass(frozen=True)
class Memory:
    """The memory of one chip while it runs a graph, in bytes, at its `peak`.

    `kinds` are what that is made of, the largest first: ``parameters``, ``optimizer state``, ``gradients``,
    ``buffers``, ``inputs``, ``outputs``, ``kept for the backward pass``, ``temporaries``, ``constants``, ``program``.
    `padding`: what tiles add to all of these. `largest`: the ten largest values.
    """

    peak: int
    kinds: tuple[tuple[str, int], ...]
    padding: int
    largest: tuple[Held, ...]


@dataclass(frozen=True)
class Work:
    """The work of one run of a program on a chip, or of one chip of a slice.

    `flops`: of products of matrices and convolutions, by definition. `padded`: what the matrix unit does for them, with
    padding, and as often as their precision wants it. `bytes`: what goes to and from the chip's memory. Times in
    seconds; `bound` is the one of the two that takes longer. `estimate`: the compiler's, 0 where it has none.
    """

    flops: float
    padded: float
    padding: float
    bytes: int
    matrix_seconds: float
    memory_seconds: float
    estimate: float

    @property
    def seconds(self) -> float:
        """The least time."""
        return max(self.matrix_seconds, self.memory_seconds)

    @property
    def bound(self) -> str:
        """What takes it."""
        return MATRIX if self.matrix_seconds >= self.memory_seconds else MEMORY

    @property
    def utilization(self) -> float:
        """The part of the chip's peak that the matrix unit reaches at best, without the padding."""
        return self.flops / self.padded * self.matrix_seconds / self.seconds if self.padded and self.seconds else 0.0


@dataclass(frozen=True)
class Cost:
    """Something costly. `kind`: which text says it; `reason` and `advice`: what is said. `bytes` and `cycles`: what it
    takes; `share`: the part of the step's time, or of the program's memory (`of_memory`).
    """

    kind: str
    reason: str
    advice: str
    site: Site | None
    bytes: int
    cycles: int
    share: float
    of_memory: bool = False


@dataclass(frozen=True)
class Line:
    """What a line of the user's takes: the share of the step's time, by the compiler's estimate, and bytes moved."""

    site: Site
    share: float
    bytes: int


@dataclass(frozen=True)
class Collective:
    """The collectives of one kind (``all-gather``, ``all-reduce``, ``reduce-scatter``, ``all-to-all``,
    ``collective-permute``) and one of the user's lines in a graph. `bytes`: what each chip gets from others for all of
    them, at least: where they pass it on in a ring.
    """

    kind: str
    site: Site | None
    count: int
    bytes: int


@dataclass(frozen=True)
class GraphOnChip:
    """A graph of steady steps, compiled for one chip, or for `chips` of a slice. `error`: what the compiler says where
    it does not take it, and `blamed` the user's line of what it names; of the memory only what it says is known then.
    `beside`: bytes that lie on the chip meanwhile, and are no part of the graph. `seconds`: how long compiling took.
    `collectives`: those of one run of the graph, what moves most first. `work`: what it does,
    at best how fast; `costs` what is costly in it, and `lines` where its time goes, the most first.
    """

    graph: SteadyGraph
    error: str = ""
    memory: Memory | None = None
    beside: int = 0
    seconds: float = 0.0
    blamed: Site | None = None
    work: Work | None = None
    costs: tuple[Cost, ...] = ()
    lines: tuple[Line, ...] = ()
    chips: int = 1
    collectives: tuple[Collective, ...] = ()

    @property
    def needed(self) -> int:
        """The memory that a chip needs while the graph runs, in bytes."""
        return self.memory.peak + self.beside if self.memory is not None else 0


@dataclass(frozen=True)
class Largest:
    """The largest batch that fits, 0 if none does, and the batches that were compiled, each with the memory that a chip
    needs for it (bytes).
    """

    batch: int
    tried: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class OnChip:
    """What one chip, or slice of chips, would make of the steady steps. `usable` is what a program may have of the
    memory of a chip (bytes). `compiler`: its version. `largest`: the
    largest batch that fits, where that was asked for.
    """

    code: str
    name: str
    count: int
    usable: int
    compiler: str
    graphs: tuple[GraphOnChip, ...] = ()
    largest: Largest | None = None

    @property
    def needed(self) -> int:
        """The memory that a chip needs for the largest of the graphs, in bytes."""
        return max((each.needed for each in self.graphs), default=0)

    @property
    def used(self) -> int:
        """How many of the chips the graphs are spread over."""
        return max((each.chips for each in self.graphs), default=0)

    @property
    def fits(self) -> bool:
        """Whether that is there."""
        return self.needed <= self.usable

    @property
    def steps(self) -> tuple[tuple[SteadyGraph, float], ...]:
        """The least time of a step of each loop, in seconds, with the first of its graphs."""
        found: dict[Site | None, tuple[SteadyGraph, float]] = {}
        for each in self.graphs:
            if each.work is not None:
                first, seconds = found.get(each.graph.loop, (each.graph, 0.0))
                found[each.graph.loop] = first, seconds + each.graph.per_step * each.work.seconds
        return tuple(found.values())
