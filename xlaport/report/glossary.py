"""Words that the pages of rules take for granted, for an engineer who has never used a TPU."""

from __future__ import annotations

import re
import textwrap

WORDS = {
    "XLA": "the compiler of a TPU. PyTorch/XLA hands it whole graphs, not single operations.",
    "graph": "the operations that the program has noted and not run yet. It is compiled for its shapes and for the "
    "Python numbers in it; if one of them changes, it recompiles, for seconds to minutes.",
    "barrier": "the place where the pending graph is compiled, if it is new, and runs: `torch_xla.sync()`.",
    "host": "the machine that runs Python, and its CPU.",
    "host read": "what needs the value of a tensor on the host: `.item()`, `print`, `if`. The host waits for the TPU.",
    "step": "one iteration of the loop that trains, evaluates, samples or generates.",
    "step loop": "the loop whose iterations are the steps.",
    "trace": "to note the operations of a step in a graph. (In profiling: to record what runs when.)",
    "chip": "one TPU. A host has several of them.",
    "replica": "one of several processes that run the same program on other data, each with a chip of its own.",
    "pod": "several hosts whose chips are connected, and work on one program.",
    "rank": "the number of a process among all of them. The first is 0.",
    "collective": "an operation in which all replicas meet, such as the average of their gradients.",
    "rendezvous": "a place in the program where all processes wait for each other.",
    "SPMD": "one process for all chips, between which the compiler divides the tensors.",
    "shard": "to divide a tensor over several chips; a part of it.",
    "bfloat16": "16 bits with the range of float32 and 8 bits of precision: the format that a TPU multiplies in.",
    "kernel": "the code that runs an operation on a device.",
}
_WIDTH = 116


def words_in(text: str) -> str:
    """The words of the glossary that a text uses, as a list in Markdown."""
    found = (word for word in WORDS if re.search(rf"\b{word}(es|s|d)?\b", text) is not None)
    return "\n".join(
        textwrap.fill(f"- **{word}**: {WORDS[word]}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        for word in found
    )
