"""XP951: names of torch_xla, for a target that succeeds it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.new_code import indent_unit
from xlaport.rule import Applicability, Finding, Harm, Replace, ReplaceStatement, Rule, Trait

from .._lib.catalogue import Disposition, Kind
from .._lib.parentheses import ATOMS, bare
from .._lib.rendering import Unfit, in_words, render
from .._lib.shapes.helpers import Helper, helper, helpers
from .._lib.shapes.shared_helpers import Adding
from .._lib.successor.answers import unknown, uses
from .._lib.successor.saying import say
from .._lib.uses import Use

_WRITTEN = (Disposition.REWRITE, Disposition.CONSTANT)
_FUNCTION = re.compile(r"(?P<name>[\w{}:.]+)\((?:\$\*)?\)")
"""What takes the arguments that are there, so that the function stands for the other: ``SGD = syncfree.SGD``."""
_LONG = re.compile(r'"""|\'\'\'|\\\n')
"""What a text over several lines has, and several texts behind one another have not."""
_NOTHING = "…"
"""How an argument alone is shown."""
_OPEN = (ast.Assign, ast.Return, ast.If, ast.While, ast.Expr, ast.keyword, ast.Call, ast.BoolOp)
"""What an expression stands in without parentheses of its own."""


class TorchXlaName(Rule):
    """Write for the successor what a program says to torch_xla.

    ## What it does
    Replaces the names of torch_xla by PyTorch's own: `torch_xla.device()`, `xm.save()`, `xr.global_ordinal()`. A table
    has an answer for every public name of torch_xla 2.1 to 2.9; what has no counterpart is reported, with what to do.

    ## Why
    torch_tpu is a backend of PyTorch: the device, ranks, files and profiles are PyTorch's, and torch_xla cannot
    use its tensors. `xm.optimizer_step()` also averages the gradients of all processes, which `optimizer.step()` does
    not: a function that is added to the file does so, where there may be several.

    ## Example
        import torch_xla
        import torch_xla.core.xla_model as xm
        device = torch_xla.device()
        model = torch.nn.Linear(2, 2).to(device)
        xm.save(model.state_dict(), "model.pt")

    becomes

        device = torch.accelerator.current_accelerator()
        model = torch.nn.Linear(2, 2).to(device)
        torch.save(model.state_dict(), "model.pt")

    ## When it is wrong
    Ranks come from the environment where the program starts no process group: without torchrun, there is one process.
    `xm.save()` wrote tensors of the CPU, and `torch.save()` keeps those of the TPU: without one, `torch.load()` needs
    `map_location="cpu"`. `scan_layers()` ran all layers with the settings of the first; each runs with its own now.

    ## When it is left alone
    Names that are bound to something else, and texts. Groups of processes of one's own are reported.

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9, and of torch_tpu 0.2.0: the table `rules/successor/answers.toml`.
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA; `scan()` and `scan_layers()` on
      torch_xla 2.9, attention against the reference of its kernel.

    ## Related
    XP952, XP953, XP901.
    """

    code = "XP951"
    name = "torch-xla-name"
    summary = "torch_xla.device(), xm.save() and the like become PyTorch's own"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.SUCCEEDS_XLA,)
    words = ("torch_xla", *sorted({f"is_torch_{kind}_available" for kind in ("xla", "tpu")}), "is_tpu_available")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of a name."""
        for use in uses(context):
            answer = use.answer
            if use.entry.rule is not None or context.module.is_in_annotation(use.node):
                continue
            if answer.disposition in _WRITTEN and use.concerns_us:
                yield self._written(context, use)
            elif answer.disposition is not Disposition.REMOVE:
                key = "XP951.manual" if use.name.startswith("torch_xla") else "XP951.other"
                text = say(key, what=use.shown, why=answer.why, recipe=answer.recipe)
                yield self.finding(context.place(use.node), text)
        for node, name in unknown(context):
            yield self.finding(context.place(node), say("XP951.unknown", name=name))

    def _written(self, context: Context, use: Use) -> Finding:
        target, is_fit = use.answer.target or "", True
        if use.call is None and use.entry.kind in (Kind.FUNCTION, Kind.CLASS):
            function = _FUNCTION.fullmatch(target)
            target, is_fit = (function["name"], True) if function is not None else (target, False)
        new = in_words(context, target).partition("\n    ")
        said = say("XP951.written", what=use.shown, new=new[2] or new[0])
        by_hand = say("XP951.by_hand", what=use.shown, new=new[2] or new[0], recipe=use.answer.recipe)
        if new[0] == _NOTHING:
            said = say("XP951.unwrapped", what=use.shown, why=use.answer.why)
            by_hand = say("XP951.manual", what=use.shown, why=use.answer.why, recipe=use.answer.recipe)
        statement = context.module.statement(use.node)
        try:
            text, imports = render(context, target, use.entry.parameters, use.whole)
        except Unfit:
            is_fit = False
        if not is_fit:
            return self.finding(context.place(use.node), by_hand)
        if not context.editable(use.whole):
            return self.finding(context.place(use.node), by_hand)
        added = self._helper(context, use, target)
        if added is None:
            said = say("XP951.manual", what=use.shown, why=use.answer.why, recipe=use.answer.recipe)
            return self.finding(context.place(use.node), said)
        if new[2]:
            is_alone = isinstance(statement, ast.Expr) and statement.value is use.whole
            if not is_alone or any(_is_long_text(context, node) for node in ast.walk(statement)):
                return self.finding(context.place(use.node), by_hand)
            unit = indent_unit(context.module, statement)
            head, first, *further = text.split("\n")
            lines = [head, f"{unit}{first.strip()}", *(f"{unit}{line}" for line in further)]
            edit: Replace | ReplaceStatement = ReplaceStatement(context.span(statement), "\n".join(lines))
        else:
            edit = Replace(context.span(use.whole), _unwrapped(context, use, text))
        wanted, applicability = (*imports, *added.imports), use.answer.applicability
        edits = (edit, *added.edits)
        return self.finding(context.span(use.whole), said, *edits, imports=wanted, applicability=applicability)

    def _helper(self, context: Context, use: Use, target: str) -> Helper | None:
        """What brings the definition that a target names; None where it cannot be had."""
        name = target.partition("(")[0]
        if name not in helpers():
            return Helper()
        return helper(context, name, use.node, Adding(self.check, self.code, Applicability.UNSAFE))


def _is_long_text(context: Context, node: ast.AST) -> bool:
    """A text over several lines, which no other indentation may come into: not one made of several."""
    is_text = isinstance(node, ast.Constant | ast.JoinedStr) and node.lineno != node.end_lineno
    return is_text and _LONG.search(context.module.segment(node)) is not None


def _unwrapped(context: Context, use: Use, text: str) -> str:
    """The text without parentheses of its own, where nothing around it needs them."""
    parent, inner = context.module.parents[use.whole], bare(text)
    if not isinstance(parent, _OPEN) or (isinstance(parent, ast.Call) and parent.func is use.whole):
        return text
    is_loose = isinstance(parent, ast.BoolOp) and not isinstance(ast.parse(text, mode="eval").body, ast.Compare | ATOMS)
    return text if is_loose else inner
