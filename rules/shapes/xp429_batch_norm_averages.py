"""XP429: batch norms whose running averages the target leaves as they were."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib.checkpoint.whole_models import saves_whole
from .._lib.distributed.batch_norm_class import is_type
from .._lib.shapes.helpers import helper, is_helper
from .._lib.shapes.saying import say
from .._lib.shapes.shared_helpers import Adding

_HOMES = ("torch.nn", "torch.nn.modules", "torch.nn.modules.batchnorm")
_CLASSES = {f"{home}.BatchNorm{n}d": f"MovingBatchNorm{n}d" for home in _HOMES for n in (1, 2, 3)}
"""The classes, and the helper for each."""
_LAZY = frozenset(f"{home}.LazyBatchNorm{n}d" for home in _HOMES for n in (1, 2, 3))
_MODELS = "torchvision.models."
_WITH_NORMS = (
    "densenet efficientnet googlenet inception mnasnet mobilenet regnet resnet resnext shufflenet wide_resnet "
    "deeplab fcn lraspp fasterrcnn maskrcnn retinanet keypointrcnn r3d mc3 r2plus1d s3d raft vgg11_bn "
    "vgg13_bn vgg16_bn vgg19_bn"
).split()
"""How the models of torchvision begin that have batch norms."""


class BatchNormAverages(Rule):
    """Let batch norms move the averages that they evaluate with.

    ## What it does
    `nn.BatchNorm1d`, `2d` and `3d` become a small subclass that is added to the file, or imported from one that has it.
    It moves `running_mean` and `running_var` itself while it trains, as PyTorch does. The names of the weights,
    `isinstance(layer, nn.BatchNorm2d)`, `momentum` and checkpoints stay.

    ## Why
    torch_tpu 0.2.0 normalizes a batch by its own mean and variance, which is right, and leaves the running averages as
    they began: `model.eval()` computes with mean 0 and variance 1. Nothing raises, and training looks well.

    ## Example
        import torch.nn.functional as F

        model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8))

    becomes

        import torch.nn.functional as F


        class MovingBatchNorm2d(torch.nn.BatchNorm2d):
            \"\"\"nn.BatchNorm2d that moves its running averages itself: torch_tpu 0.2 leaves them as they were.\"\"\"

            def forward(self, input):
                if not self.training or self.running_mean is None:
                    return super().forward(input)
                self._check_input_dim(input)
                self.num_batches_tracked.add_(1)
                weight = 1 / self.num_batches_tracked if self.momentum is None else self.momentum
                with torch.no_grad():
                    values = input.to(self.running_mean.dtype)
                    variance, mean = torch.var_mean(values, [0, *range(2, input.dim())])
                    self.running_mean.lerp_(mean, weight)
                    self.running_var.lerp_(variance, weight)
                normalize = torch.nn.functional.batch_norm
                return normalize(input, None, None, self.weight, self.bias, True, 0.0, self.eps)


        model = nn.Sequential(nn.Conv2d(1, 8, 3), MovingBatchNorm2d(8))

    ## When it is wrong
    Where something looks for the very type, `type(layer) is nn.BatchNorm2d`, as a few libraries do to fuse layers.

    ## When it is left alone
    The class as a type, in `isinstance` or a tuple of types. Lazy classes, `F.batch_norm()` with averages, and
    torchvision's models are reported, and so is a script that saves whole models: what it saves would name a class of
    that script, which no other one can load.

    ## Sources
    - Measured on PyTorch 2.13 and torch_tpu 0.2.0, on the CPU plugin of OpenXLA: what the operator gives back as the
      new averages are the old ones.

    ## Related
    XP610.
    """

    code = "XP429"
    name = "batch-norm-averages"
    summary = "a BatchNorm moves its running averages itself, since torch_tpu 0.2.0 does not"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    traits = (Trait.STILL_AVERAGES,)
    words = ("BatchNorm", "batch_norm", "torchvision")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that makes such a module, or calls the function with averages."""
        adding = Adding(self.check, self.code, self.applicability)
        for node in context.module.of_type(ast.Name, ast.Attribute):
            name = context.resolve(node)
            if name in _CLASSES and not is_type(context, node) and not is_helper(context, node):
                yield self._replaced(context, node, _CLASSES[name], adding)
            elif name in _LAZY and not is_type(context, node):
                yield self.finding(context.place(node), say("XP429.by_hand", name=ast.unparse(node)))
        for call in context.module.calls:
            name = context.resolve(call.func) or ""
            if name.startswith(_MODELS) and name.rpartition(".")[2].startswith(tuple(_WITH_NORMS)):
                yield self.finding(context.place(call), say("XP429.by_hand", name=ast.unparse(call.func)))
            elif name == "torch.nn.functional.batch_norm" and not is_helper(context, call) and _has_averages(call):
                yield self.finding(context.place(call), say("XP429.function"))

    def _replaced(self, context: Context, node: ast.expr, own: str, adding: Adding) -> Finding:
        defined = helper(context, own, node, adding) if context.editable(node) else None
        name = ast.unparse(node)
        if defined is None:
            return self.finding(context.place(node), say("XP429.by_hand", name=name))
        if (save := saves_whole(context)) is not None:
            said = say("XP429.whole_models", name=name, helper=own, line=context.line(save))
            return self.finding(context.place(node), said)
        said = say("XP429.replaced", name=name, helper=own, source=defined.source)
        edits = (*defined.edits, Replace(context.span(node), own))
        return self.finding(context.span(node), said, *edits, imports=defined.imports)


def _has_averages(call: ast.Call) -> bool:
    """Whether the function is given averages that training is to move: its second argument."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    mean = call.args[1] if len(call.args) > 1 else given.get("running_mean")
    training = call.args[5] if len(call.args) > 5 else given.get("training")
    is_off = training is None or (isinstance(training, ast.Constant) and not training.value)
    return mean is not None and not (isinstance(mean, ast.Constant) and mean.value is None) and not is_off
