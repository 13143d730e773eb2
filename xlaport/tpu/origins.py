"""Where the operations of a compiled program come from: the user's lines, by the marks of `labels`."""

from __future__ import annotations

from xlaport.tpu.lines import users_frame
from xlaport.tpu.program import Operation
from xlaport.verify.counts import Site
from xlaport.verify.graphs import Frame, Graph, read_graph

_OPTIMIZERS = ("/torch/optim/", "/torch_xla/amp/syncfree/")


class Origins:
    """The lines of a dumped graph."""

    def __init__(self, dump: bytes) -> None:
        self.graph: Graph = read_graph(dump)
        self._nodes = {node.number: node for node in self.graph.nodes}

    def site(self, operation: Operation) -> Site | None:
        """The innermost of the user's lines that an operation of the compiled program comes from."""
        return self.site_of(operation.label) if operation.label is not None else None

    def site_of(self, label: int) -> Site | None:
        """The same of an operation of the graph."""
        frame = users_frame(self._frames(label))
        return Site(*frame, self.graph.functions.get(frame, "")) if frame is not None else None

    def source_op(self, label: int) -> str:
        """The PyTorch operation that an operation of the graph comes from; empty where that is not known."""
        node = self._nodes.get(label)
        return node.source_op if node is not None else ""

    def is_of_optimizer(self, operation: Operation) -> bool:
        """Whether it is a part of an optimizer's step."""
        frames = self._frames(operation.label) if operation.label is not None else ()
        return any(part in path for path, _ in frames for part in _OPTIMIZERS)

    def _frames(self, label: int) -> tuple[Frame, ...]:
        node = self._nodes.get(label)
        return node.frames if node is not None else ()
