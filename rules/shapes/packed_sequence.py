"""XP421: packed sequences, which recurrent layers do not take on XLA."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.facts.step_code import StepBody
from xlaport.rule import Applicability, Finding, Harm, Rule

from .. import host_only
from ..host_reads.device_values import spelled
from ..one_line import one_line
from .baked import COST, in_steps
from .packed_layer import PARTS, Layer, layer
from .placed import device_of

_RNN = "torch.nn.utils.rnn."
_PACK, _SEVERAL = f"{_RNN}pack_padded_sequence", f"{_RNN}pack_sequence"
_FETCHING = frozenset({"cpu", "tolist", "numpy"})


class PackedSequence(Rule):
    """Report sequences that are packed on the device.

    ## What it does
    Finds `pack_padded_sequence` and `pack_sequence` of tensors on the device, and says how to do without: the recurrent
    layer runs over the padded batch, a mask leaves out what it gives for the padding, and the state behind the last
    true element of each row is taken by `gather`.

    ## Why
    On XLA, `nn.LSTM` and `nn.RNN` raise RuntimeError for what was packed on the device ("data is not allocated yet"),
    as `pad_packed_sequence` does, and `nn.GRU` raises AssertionError for every packed sequence (torch_xla 2.9). The
    number of packed elements, and how many rows go on at each place, are parts of the graph besides: each set of
    lengths would be another one to compile, which takes from seconds to minutes on a TPU.

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
    back: its second half needs each row turned around within its length, by `gather`, before and behind it.

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
                    yield self.finding(context.place(node), _message(context, node, tensor))


def _is_forward(body: StepBody) -> bool:
    return body.function is not None and body.function.name == "forward"


def _tensor(node: ast.expr) -> ast.expr | None:
    """What is packed, or one of it."""
    if isinstance(node, ast.List | ast.Tuple):
        return node.elts[0] if node.elts else None
    return node.elt if isinstance(node, ast.ListComp | ast.GeneratorExp) else node


def _message(context: Context, call: ast.Call, tensor: ast.expr) -> str:
    text = spelled(context, tensor)
    name = (context.resolve(call.func) or "").rpartition(".")[2]
    device = device_of(context, tensor, call)
    lengths = _lengths(context, call, device)
    costs = f"each set of lengths is {COST}"
    if _takes_data(context, call):
        return (
            f"{name}() gives as many elements as the lengths add up to, so that the host waits for them, and {costs}. "
            f"Compute with all of {text}, and let a mask leave out the padding, torch.arange({text}.size(1), "
            f"device={device}) < {lengths}[:, None] in a batch that comes first; cross_entropy() has ignore_index"
        )
    found = layer(context, _uses(context, call))
    if found is not None and found.own is not None and found.is_own:
        return (
            f"pad_packed_sequence() raises on XLA for what {name}() packs on the device, as PyTorch's recurrent layers "
            f"do; and {costs}. {found.own}, which {found.name} is here, asks for the parts of what is packed: write "
            f"{_own_form(text, lengths)}"
        )
    unless_own = ""
    if found is not None and found.own is not None:
        unless_own = f". Where {found.name} is a {found.own}, write {_own_form(text, lengths)}"
    called = found.name if found is not None else "a recurrent layer"
    raising = "a layer of PyTorch's" if unless_own else called
    what = f"{raising} raises on XLA for what {name}() packs on the device, as pad_packed_sequence() does; and {costs}"
    keeps_state = found is None or found.keeps_state
    taken = ""
    if found is not None and found.parts is not None:
        part = one_line(context, found.parts)
        taken = (
            f". {part} in line {context.line(found.parts)} takes the elements packed together: write what holds all "
            "places in its stead, and let the loss leave out the padding, by ignore_index, of targets that are not "
            "packed"
        )
    if found is not None and found.directions == 2:
        return f"{what}. {_both_ways(found, text, lengths)}{taken}"
    is_one = found is not None and found.directions == 1
    same = "the outputs at true places are the same, torch.where() by a mask clears the others"
    advice = f"Run {called if found is not None else 'it'} over {text} as it is padded: "
    advice += same if is_one else f"for one direction, {same}"
    rest = ["an LSTM's c", "the states of more layers"] if keeps_state else []
    rest += [] if is_one else ["a second direction"]
    if keeps_state:
        advice += f", and the last h of a single layer stands at {lengths} - 1, for gather()"
    if rest:
        listed = rest[0] if len(rest) == 1 else f"{', '.join(rest[:-1])}{',' if len(rest) > 2 else ''} and {rest[-1]}"
        advice += (
            f"; {listed} take{'s' if len(rest) == 1 else ''} a loop over the places, in which torch.where() keeps what "
            "a row had when it ended"
        )
    return f"{what}. {advice}{taken}{unless_own}"


def _own_form(text: str, lengths: str) -> str:
    """What to write for a layer of the project's own that takes apart what is packed."""
    return (
        f"a form of its forward() that takes {text} as it is padded, in which each place has all rows, and torch.where("
        f"place < {lengths}[:, None], new, old) keeps the state that a row had when it ended"
    )


def _both_ways(found: Layer, text: str, lengths: str) -> str:
    """What to do where a layer reads in both directions."""
    state = (
        ". The last h of each direction is its output at n - 1, that of the second before it is turned back; an LSTM's "
        "c takes a loop over the places, in which torch.where() keeps what a row had when it ended"
    )
    return (
        f"On its way back, {found.name} would read the padding of {text} first: write each of its layers as two of one "
        "direction, and run both over all places as they are padded, the second over rows that gather() turns around "
        f"within their lengths, by the index torch.where(t < n, n - 1 - t, t), with n = {lengths}[:, None] and t = "
        "torch.arange() of the places in a batch that comes first; the same turns its outputs back, torch.cat() joins "
        f"both, and torch.where() by t < n clears the rest{state if found.keeps_state else ''}"
    )


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
