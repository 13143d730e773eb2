"""Where the operations of a compiled program come from: the user's lines, by the marks of `labels`."""

from __future__ import annotations

import re

from xlaport.tpu.program import Operation
from xlaport.verify.counts import Site
from xlaport.verify.graphs import Frame, Graph, read_graph

_LIBRARY = re.compile(r"/(site|dist)-packages/|/lib/python3\.\d+/|^<|/xlaport/verify/probe/")
"""What is in the path of a file that is not the user's."""
_OPTIMIZERS = ("/torch/optim/", "/torch_xla/amp/syncfree/")


class Origins:
    """The lines of a dumped graph."""

    def __init__(self, dump: bytes) -> None:
        self.graph: Graph = read_graph(dump)
        self._frames = {node.number: node.frames for node in self.graph.nodes}

    def frames(self, operation: Operation) -> tuple[Frame, ...]:
        """The Python frames of an operation, innermost first; none where that is not known."""
        return self._frames.get(operation.label, ()) if operation.label is not None else ()

    def site(self, operation: Operation) -> Site | None:
        """The innermost of the user's lines."""
        frame = next((frame for frame in self.frames(operation) if not _LIBRARY.search(frame[0])), None)
        return Site(*frame, self.graph.functions.get(frame, "")) if frame is not None else None

    def is_of_optimizer(self, operation: Operation) -> bool:
        """Whether it is a part of an optimizer's step."""
        return any(part in path for path, _ in self.frames(operation) for part in _OPTIMIZERS)
