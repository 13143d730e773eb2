"""XP307: a transformer that looks at its mask on the host."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.analysis.value import MODULE
from xlaport.context import Context
from xlaport.facts.role import is_none
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule

from .._lib import host_only
from .._lib.host_reads.saying import say
from .._lib.series import series


@dataclass(frozen=True)
class _Question:
    """A parameter of `forward` that holds a mask, where it stands, and the one that saves the look at it."""

    mask: str
    position: int
    answer: str
    answer_position: int


# The signatures of torch 2.1 to 2.9 (torch/nn/modules/transformer.py).
_QUESTIONS = {
    "torch.nn.TransformerEncoder": (_Question("mask", 1, "is_causal", 3),),
    "torch.nn.TransformerDecoder": (_Question("tgt_mask", 2, "tgt_is_causal", 6),),
    "torch.nn.Transformer": (
        _Question("src_mask", 2, "src_is_causal", 8),
        _Question("tgt_mask", 3, "tgt_is_causal", 9),
    ),
}
_PARTS = {"encoder": "torch.nn.TransformerEncoder", "decoder": "torch.nn.TransformerDecoder"}
"""What `torch.nn.Transformer` builds, by the name of the attribute."""


class CausalQuestion(Rule):
    """Tell a transformer not to look at its mask.

    ## What it does
    `nn.TransformerEncoder`, `nn.TransformerDecoder` and `nn.Transformer` that are called with a mask and nothing about
    it get `is_causal=False` (`tgt_is_causal=False`, `src_is_causal=False`).

    ## Why
    Without it, they compare the mask with the causal one, number by number, and read from the TPU whether all are
    equal, to choose a faster kernel (torch/nn/modules/transformer.py, `_detect_is_causal_mask`). On XLA this splits the
    graph in the middle of `forward`: two graphs per step, and the host waits for the first (measured: 2 executions and
    1 transfer more per step).

    ## Example
        encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2), 2).to("xla")
        mask = nn.Transformer.generate_square_subsequent_mask(5).to("xla")
        out = encoder(torch.zeros(5, 3, 16).to("xla"), mask=mask)

    becomes

        encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2), 2).to("xla")
        mask = nn.Transformer.generate_square_subsequent_mask(5).to("xla")
        out = encoder(torch.zeros(5, 3, 16).to("xla"), mask=mask, is_causal=False)

    ## When it is wrong
    The mask itself stays, and does the same whatever is said about it. On CUDA, a causal mask that is not announced
    costs the faster kernel.

    ## When it is left alone
    Encoders of other libraries and of one's own, calls without a mask, calls that say `is_causal` already, and a
    program for the CPU.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - Read in the source of PyTorch 2.9.

    ## Related
    XP415, XP301.
    """

    code = "XP307"
    name = "causal-question"
    summary = "a transformer looks at its mask on the host"
    applicability = Applicability.SAFE
    harm = Harm.WAITS
    words = ("Transformer", "encoder", "decoder")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call that would look at a mask."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            if (not call.keywords and len(call.args) < 2) or not context.editable(call):
                continue
            for question in self._questions(context, call):
                yield self._answered(context, call, question)

    def _answered(self, context: Context, call: ast.Call, questions: list[_Question]) -> Finding:
        span = max((context.span(argument) for argument in [*call.args, *call.keywords]), key=lambda s: s.end)
        answers = ", ".join(f"{question.answer}=False" for question in questions)
        masks = series(f"`{question.mask}`" for question in questions)
        return self.finding(
            context.span(call),
            say("XP307.mask", masks=masks, answers=answers),
            Replace(span, f"{context.module.text[span.start : span.end]}, {answers}"),
        )

    def _questions(self, context: Context, call: ast.Call) -> Iterator[list[_Question]]:
        if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            return
        asked = {name: [q for q in questions if _asks(call, q)] for name, questions in _QUESTIONS.items()}
        found = asked.get(self._called(context, call.func) or "") if any(asked.values()) else None
        if found:
            yield found

    def _called(self, context: Context, func: ast.expr) -> str | None:
        """The module of torch that a call runs."""
        if context.resolve(func) is not None or not isinstance(func, ast.Name | ast.Attribute):
            return None
        structure, own = context.flow.structure, context.view.own
        value = structure.value(own, func)
        objects = value.objects if value is not None and value.type == MODULE else ()
        made = [there for site in objects if (there := structure.made_there(own, site)) is not None]
        found = {context.of(each.facts).called(each.node) for each in made}
        part = _PARTS.get(func.attr) if isinstance(func, ast.Attribute) else None
        if part is not None and isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            owner = context.names.self_class(func.value)
            bases = {context.resolve(base) for base in owner.bases} if owner is not None and not made else found
            return part if bases == {"torch.nn.Transformer"} else found.pop() if len(found) == 1 else None
        return found.pop() if len(found) == 1 else None


def _asks(call: ast.Call, question: _Question) -> bool:
    """Whether a call gives a mask, and does not say what kind it is."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if question.answer in keywords or len(call.args) > question.answer_position:
        return False
    mask = keywords.get(question.mask) or next(iter(call.args[question.position : question.position + 1]), None)
    return mask is not None and not is_none(mask)
