"""What the step loops of each kind do, in the words of a message."""

from xlaport.facts.loops import LoopKind

DOES = {
    LoopKind.TRAIN: "trains",
    LoopKind.EVAL: "evaluates",
    LoopKind.DENOISE: "denoises",
    LoopKind.GENERATE: "generates",
    LoopKind.OPTIMIZE: "optimizes an input",
    LoopKind.ACT: "acts",
}
