"""XP421: packed sequences, which recurrent layers do not take on XLA."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.host_reads.device_values import spelled
from ..._lib.one_line import one_line
from ..._lib.shapes.in_steps import in_steps
from ..._lib.shapes.placed import device_of
from ..._lib.shapes.saying import say
from .packed_layer import PARTS, Layer, layer

_RNN = "torch.nn.utils.rnn."
_PACK, _SEVERAL = f"{_RNN}pack_padded_sequence", f"{_RNN}pack_sequence"
_FETCHING = frozenset({"cpu", "tolist", "numpy"})


class PackedSequence(Rule):
    """Report sequences that are packed on the device.

    ## What it does
    Finds `pack_padded_sequence` and `pack_sequence` of tensors on the device, and says how to do without: the recurrent
    layer runs over the padded batch, a mask leaves out what it gives for the padding, and the state after the last
    true element of each row is taken by `gather`. An LSTM's `c`, and the states of more layers, need a loop over the
    places, in which `torch.where()` keeps what a row had when it ended.

    ## Why
    On XLA, `nn.LSTM` and `nn.RNN` raise RuntimeError for what was packed on the device ("data is not allocated yet"),
    as `pad_packed_sequence` does, and `nn.GRU` raises AssertionError for every packed sequence (torch_xla 2.9). The
    number of packed elements, and how many rows go on at each place, are parts of the graph, too: each set of lengths
    would recompile the step, which takes from seconds to minutes on a TPU.

    ## Example
        from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.LSTM(4, 4, batch_first=True)

            def forward(self, x, lengths):
                packed = pack_padded_sequence(x, lengths, batch_first=True)
                out, (h, c) = self.rnn(packed)
                return pad_packed_sequence(out, batch_first=True)[0], h

    is reported. The same, for one direction, over the padded batch:

        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.rnn = nn.LSTM(4, 4, batch_first=True)

            def forward(self, x, lengths):
                out, _ = self.rnn(x)
                true = torch.arange(x.size(1), device=x.device) < lengths[:, None]
                last = (lengths - 1)[:, None, None].expand(-1, 1, out.size(2))
                return torch.where(true[:, :, None], out, 0), out.gather(1, last).transpose(0, 1)

    ## When it is wrong
    Where the packed sequence is moved to the host first. A layer of two directions reads the padding first on its way
    back: its second half needs each row turned around within its length, by `gather`, before and after it, with the
    index `torch.where(t < n, n - 1 - t, t)` for the places `t` and the lengths `n`.

    ## When it is left alone
    What is packed on the host, and moves, or is computed with, as such.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, pack_padded_sequence:
      https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.rnn.pack_padded_sequence.html

    ## Related
    XP413, XP411.
    """

    code = "XP421"
    name = "packed-sequence"
    summary = "packed sequences raise on XLA"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    traits = (Trait.XLA_TENSOR,)
    words = ("pack_padded_sequence", "pack_sequence")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each sequence that a step packs on the device."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.of_type(body, ast.Call):
            if context.resolve(node.func) in (_PACK, _SEVERAL) and node.args:
                tensor = _tensor(node.args[0])
                # What a model works on is on the device, unless it is known to be elsewhere.
                known = (Role.TENSOR, None) if _is_forward(body) else (Role.TENSOR,)
                if tensor is not None and context.roles.role(tensor) in known:
                    yield self.finding(context.place(node), _said(context, node, tensor))


def _is_forward(body: StepBody) -> bool:
    return body.function is not None and body.function.name == "forward"


def _tensor(node: ast.expr) -> ast.expr | None:
    """What is packed, or one of it."""
    if isinstance(node, ast.List | ast.Tuple):
        return node.elts[0] if node.elts else None
    return node.elt if isinstance(node, ast.ListComp | ast.GeneratorExp) else node


def _said(context: Context, call: ast.Call, tensor: ast.expr) -> Text:
    name = (context.resolve(call.func) or "").rpartition(".")[2]
    device = device_of(context, tensor, call)
    padded = {"tensor": spelled(context, tensor), "lengths": _lengths(context, call, device), "device": device}
    if _takes_data(context, call):
        return say("XP421.data", pack=name, **padded)
    found = layer(context, _uses(context, call))
    if found is not None and found.own is not None and found.is_own:
        return say("XP421.own", pack=name, own=found.own, tensor=padded["tensor"], lengths=padded["lengths"])
    called = f"`{found.name}`" if found is not None else say.phrase("some_layer")
    if found is not None and found.directions == 2:
        more = f"{say.phrase('last_of_both') if found.keeps_state else ''}{_taken(context, found)}"
        return say("XP421.both", layer=called, pack=name, more=more, **padded)
    more = "" if found is not None and found.directions == 1 else say.phrase("second_direction")
    if found is None or found.keeps_state:
        more += say.phrase("last_state")
    if found is not None:
        more += _taken(context, found)
        more += say.phrase("own_layer", own=found.own) if found.own is not None else ""
    return say("XP421.one", layer=called, pack=name, more=more, **padded)


def _taken(context: Context, found: Layer) -> str:
    """What else to write where the packed elements of what the layer gives are taken."""
    if found.parts is None:
        return ""
    return say.phrase("packed_parts", part=one_line(context, found.parts), line=context.line(found.parts))


def _lengths(context: Context, call: ast.Call, device: str) -> str:
    """The lengths as a tensor beside what is packed: they are given on the host, where a list, too, will do."""
    given = call.args[1] if len(call.args) > 1 else next((k.value for k in call.keywords if k.arg == "lengths"), None)
    fetched = False
    while isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and _is_fetch(given):
        given, fetched = given.func.value, True
    if given is None:
        return f"torch.as_tensor(lengths, device={device})"
    written = one_line(context, given)
    if fetched and context.roles.is_(given, Role.TENSOR):
        return written
    return f"torch.as_tensor({written}, device={device})"


def _is_fetch(call: ast.Call) -> bool:
    """``.cpu()``, ``.tolist()``, ``.to("cpu")``."""
    assert isinstance(call.func, ast.Attribute)
    to_host = len(call.args) == 1 and isinstance(call.args[0], ast.Constant) and call.args[0].value == "cpu"
    return call.func.attr in _FETCHING or (call.func.attr == "to" and to_host)


def _uses(context: Context, call: ast.Call) -> list[ast.AST]:
    """The nodes that take what a call gives, directly or by a name."""
    parent = context.module.parents[call]
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        return [context.module.parents[use] for use in context.names.uses_of(parent.targets[0])]
    return [parent]


def _takes_data(context: Context, call: ast.Call) -> bool:
    """``pack_padded_sequence(…).data``, ``pack_padded_sequence(…)[0]``: the elements alone are used."""
    uses = _uses(context, call)
    return bool(uses) and all(
        (isinstance(use, ast.Attribute) and use.attr in {"data", *PARTS})
        or (isinstance(use, ast.Subscript) and isinstance(use.slice, ast.Constant))
        for use in uses
    )
