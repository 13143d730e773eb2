"""XP801: CUDA's own switches."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, RemoveStatement, ReplaceStatement, Rule

from .._lib.blocks import lifted
from .._lib.catalogue import Disposition
from .._lib.device.branches import says_something
from .._lib.removal import idle_behind, is_effect_free, removal, with_comments
from .._lib.runtime.saying import say
from .._lib.uses import Use, uses

_PRECISION = frozenset(
    {
        "torch.backends.cuda.matmul.allow_tf32",
        "torch.backends.cuda.matmul.fp32_precision",
        "torch.backends.cudnn.allow_tf32",
        "torch.backends.cudnn.fp32_precision",
        "torch.backends.cudnn.conv.fp32_precision",
        "torch.backends.cudnn.rnn.fp32_precision",
    }
)


class CudaFlags(Rule):
    """Drop switches of CUDA and cuDNN.

    ## What it does
    Removes assignments to `torch.backends.cudnn.*` and `torch.backends.cuda.*`, statements such as
    `torch.cuda.empty_cache()` and `torch.cuda.set_device(…)`, and `with torch.cuda.device(…):` around its block.
    An `if` that guards nothing else is removed with them, and so are what a function computes for them alone and a
    warning directly below that cuDNN is deterministic now. The catalogue lists the names (`rules/cuda_api.toml`).

    With `--unsafe`, a switch for full float32 precision (`allow_tf32 = False`) becomes
    `torch_xla.backends.set_mat_mul_precision("highest")`.

    ## Why
    They select kernels and manage memory of an NVIDIA GPU. On a TPU the compiler does this, and each process has one
    device; some of them raise without a GPU.

    ## Example
        torch.backends.cudnn.benchmark = True
        loss = 0

    becomes

        loss = 0

    ## When it is wrong
    Never for the values on a TPU: none of them changes what it computes. A TPU multiplies float32 matrices in bfloat16
    by default; full precision costs much of its speed, which is why that change is unsafe.

    ## When it is left alone
    A switch that is only read, other backends (`mkldnn`, `mps`), and names of one's own that look like it.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.
    - PyTorch, CUDA semantics: https://docs.pytorch.org/docs/stable/notes/cuda.html

    ## Related
    XP802, XP803, XP807.
    """

    code = "XP801"
    name = "cuda-flag"
    summary = "cuDNN and CUDA switches go"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    words = ("cudnn", "torch.backends", "cuda", "set_device_index", "accelerator", "NCCL", "CUDA")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each switch."""
        done: set[ast.stmt] = set()
        for use in uses(context):
            if use.answer.disposition is not Disposition.REMOVE or use.entry.rule or not use.concerns_us:
                continue
            statement = context.module.statement(use.node)
            if "store" in use.places:
                if isinstance(statement, ast.Assign) and statement not in done:
                    done.add(statement)
                    yield from self._assignment(context, statement)
            elif "with" in use.places:
                yield from self._block(context, use)
            elif use.call is not None:
                yield self._call(context, use, use.call)

    def _assignment(self, context: Context, node: ast.Assign) -> Iterator[Finding]:
        switches = {use.node: use for use in uses(context) if use.answer.disposition is Disposition.REMOVE}
        found = [switches.get(target) for target in node.targets if isinstance(target, ast.Name | ast.Attribute)]
        names = [use.entry.name for use in found if use is not None]
        if len(names) < len(node.targets):
            return
        if not is_effect_free(context, node.value):
            yield self.finding(context.span(node), say("XP801.value", what=names[0]))
        elif names[0] in _PRECISION and self._wants_full_precision(node.value):
            asked = self._asked_before(context, node, switches)
            yield self._precision(context, node, names[0]) if asked is None else self._again(context, node, asked)
        else:
            use = next(use for use in found if use is not None)
            yield self._remove(context, node, use)

    def _block(self, context: Context, use: Use) -> Iterator[Finding]:
        """``with torch.cuda.device(0):`` is removed, its body stays."""
        statement = context.module.statement(use.node)
        if not isinstance(statement, ast.With) or len(statement.items) != 1 or statement.items[0].optional_vars:
            return
        if is_effect_free(context, *self._arguments(use.call)):
            yield self.finding(
                context.span(use.whole),
                say("XP801.block", what=use.shown, why=use.answer.why),
                lifted(context, statement, statement.body),
                applicability=use.answer.applicability,
            )

    def _call(self, context: Context, use: Use, call: ast.Call) -> Finding:
        statement = context.module.parents[call]
        if isinstance(statement, ast.Expr) and is_effect_free(context, *self._arguments(call)):
            return self._remove(context, statement, use)
        return self.finding(context.place(call), say("XP801.expression", what=use.shown, why=use.answer.why))

    def _arguments(self, call: ast.Call | None) -> list[ast.expr]:
        return [*call.args, *(k.value for k in call.keywords)] if call is not None else []

    def _wants_full_precision(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Constant) and value.value in (False, "ieee")

    def _asked_before(self, context: Context, node: ast.Assign, switches: Mapping[ast.expr, Use]) -> ast.stmt | None:
        """A statement above in the same block that asks for full precision, by a switch or of XLA."""
        text, _ = context.symbol("matmul_precision", node)
        block = context.module.block(node)
        for before in block[: block.index(node)]:
            if isinstance(before, ast.Assign) and self._wants_full_precision(before.value):
                targets = (t for t in before.targets if isinstance(t, ast.Name | ast.Attribute))
                uses_before = [switches.get(target) for target in targets]
                if any(use is not None and use.entry.name in _PRECISION for use in uses_before):
                    return before
            if isinstance(before, ast.Expr) and ast.unparse(before.value) == f"{text}('highest')":
                return before
        return None

    def _again(self, context: Context, node: ast.Assign, before: ast.stmt) -> Finding:
        return self.finding(
            context.span(node),
            say("XP801.again", line=context.line(before)),
            removal(context, node),
            applicability=Applicability.UNSAFE,
        )

    def _precision(self, context: Context, node: ast.Assign, what: str) -> Finding:
        text, imports = context.symbol("matmul_precision", node)
        return self.finding(
            context.span(node),
            say("XP801.precision", what=what, call=text),
            ReplaceStatement(context.span(node), f'{text}("highest")'),
            imports=imports,
            applicability=Applicability.UNSAFE,
        )

    def _remove(self, context: Context, statement: ast.stmt, use: Use) -> Finding:
        return self.finding(
            context.span(statement),
            say("XP801.removed", what=use.shown, why=use.answer.why),
            *with_comments(context, [*idle_behind(context, statement), removal(context, statement)]),
            *self._said_of_it(context, statement),
            applicability=use.answer.applicability,
        )

    def _said_of_it(self, context: Context, statement: ast.stmt) -> Iterator[RemoveStatement]:
        """The warning directly below a switch of cuDNN that it is on: ``warnings.warn("… cuDNN deterministic …")``."""
        block = context.module.block(statement)
        below = block[block.index(statement) + 1 :][:1]
        if len(block) < 3 or not below or not isinstance(below[0], ast.Expr):
            return
        call = below[0].value
        if not isinstance(call, ast.Call) or call.keywords or not says_something(context, call):
            return
        texts = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
        if len(texts) == len(call.args) and any("cudnn" in str(text).lower() for text in texts):
            yield RemoveStatement(context.span(below[0]))
