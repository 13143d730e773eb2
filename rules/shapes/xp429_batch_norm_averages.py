"""XP429: batch norms whose running averages the target leaves as they were."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.program import Facts
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib.checkpoint.whole_models import saves_whole
from .._lib.class_uses import is_spelled, is_type
from .._lib.one_line import one_line
from .._lib.shapes.helpers import helper, is_helper
from .._lib.shapes.saying import say
from .._lib.shapes.shared_helpers import Adding

_HOMES = ("torch.nn", "torch.nn.modules", "torch.nn.modules.batchnorm")
_CLASSES = {f"{home}.BatchNorm{n}d": f"MovingBatchNorm{n}d" for home in _HOMES for n in (1, 2, 3)}
"""The classes, and the helper for each."""
_NAMES = frozenset(f"BatchNorm{n}d" for n in (1, 2, 3))
_LAZY = frozenset(f"{home}.LazyBatchNorm{n}d" for home in _HOMES for n in (1, 2, 3))
_TRACKING = frozenset(
    f"{home}.{lazy}InstanceNorm{n}d"
    for home in ("torch.nn", "torch.nn.modules", "torch.nn.modules.instancenorm")
    for lazy in ("", "Lazy")
    for n in (1, 2, 3)
)
"""What keeps averages where it is told to."""
_FUNCTIONS = {
    "torch.nn.functional.batch_norm": "training",
    "torch.nn.functional.instance_norm": "use_input_stats",
}
"""The functions that move averages, and the argument that says whether."""
_MODELS = "torchvision.models."
_WITH_NORMS = (
    *"deeplab densenet efficientnet fasterrcnn fcn fcos googlenet inception keypointrcnn lraspp maskrcnn".split(),
    *"maxvit mc3 mnasnet mobilenet quantized r2plus1d r3d raft_large regnet resnet resnext retinanet s3d".split(),
    *"shufflenet ssdlite vgg11_bn vgg13_bn vgg16_bn vgg19_bn wide_resnet get_model".split(),
)
"""How the models of torchvision begin that have batch norms, and what makes one by its name."""


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
    Where a library asks for the very type, `type(layer) is nn.BatchNorm2d`, to fuse layers, say. Where the program
    does, the fix is an unsafe one.

    ## When it is left alone
    The class as a type, in `isinstance` or a tuple of types. Lazy classes, `nn.InstanceNorm2d` that tracks averages,
    `F.batch_norm()` with averages, and torchvision's models are reported. So is a script that saves whole models: what
    it saves would name a class of that script, which no other one can load.

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
    words = ("BatchNorm", "InstanceNorm", "_norm", "torchvision")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that makes such a module, or calls the function with averages."""
        adding = Adding(self.check, self.code, self.applicability)
        made = [node for node in context.module.of_type(ast.Name, ast.Attribute) if _is_made(context, node)]
        save = saves_whole(context) if made else None
        for node in made:
            yield self._replaced(context, node, adding, save)
        for call in context.module.calls:
            name = context.looked_up(call.func) or ""
            is_tracking = name in _TRACKING and _is_on(call, "track_running_stats")
            if name in _LAZY or is_tracking or _may_have_norms(context, call, name):
                yield self.finding(context.place(call), say("XP429.by_hand", name=one_line(context, call.func)))
            elif name in _FUNCTIONS and not is_helper(context, call) and _has_averages(call, _FUNCTIONS[name]):
                yield self.finding(context.place(call), say("XP429.function"))

    def _replaced(
        self, context: Context, node: ast.Name | ast.Attribute, adding: Adding, save: ast.Call | None
    ) -> Finding:
        name, own = one_line(context, node), _CLASSES[context.resolve(node) or ""]
        if save is not None:
            said = say("XP429.whole_models", name=name, helper=own, line=context.line(save))
            return self.finding(context.place(node), said)
        defined = helper(context, own, node, adding) if context.editable(node) else None
        if defined is None:
            return self.finding(context.place(node), say("XP429.by_hand", name=name))
        edits = (*defined.edits, Replace(context.span(node), own))
        told, asked = {"name": name, "helper": own, "source": defined.source}, _asked_for(context)
        if asked is None:
            return self.finding(context.span(node), say("XP429.replaced", **told), *edits, imports=defined.imports)
        said, unsafe = say("XP429.compared", **told, line=context.line_of(*asked)), Applicability.UNSAFE
        return self.finding(context.span(node), said, *edits, imports=defined.imports, applicability=unsafe)


def _is_made(context: Context, node: ast.Name | ast.Attribute) -> bool:
    """Whether a class is named here to make such modules, or to be handed on for that."""
    is_one = context.resolve(node) in _CLASSES and is_spelled(context, node)
    return is_one and not is_type(context, node) and not is_helper(context, node)


def _asked_for(context: Context) -> tuple[Facts, ast.AST] | None:
    """Where a program asks whether a module is of the very class, which a module of a subclass is not."""

    def found() -> tuple[Facts, ast.AST] | None:
        for facts in (own, *context.flow.structure.analysis(own).files()):
            for node in facts.module.of_type(ast.Compare, ast.Dict):
                sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else node.keys
                if any(_is_class(facts, part) for side in sides for part in getattr(side, "elts", [side])):
                    return facts, node
        return None

    own = context.view.own
    return own.once("asked for batch norms", found)


def _is_class(facts: Facts, part: ast.AST) -> bool:
    name = part.value if isinstance(part, ast.Constant) else facts.names.resolve(part)
    return name in _CLASSES or name in _NAMES


def _may_have_norms(context: Context, call: ast.Call, name: str) -> bool:
    """Whether torchvision makes a model that has batch norms, or may have them."""
    if name.startswith(_MODELS):
        return name.rpartition(".")[2].lower().startswith(_WITH_NORMS)
    match call.func:
        case ast.Subscript(value=table):  # models.__dict__[arch]()
            return context.resolve(table) == f"{_MODELS}__dict__"
        case ast.Call(args=[home, *_]) as asked:  # getattr(models, arch)()
            return context.resolve(asked.func) == "builtins.getattr" and f"{context.resolve(home)}." == _MODELS
    return False


def _is_on(call: ast.Call, name: str) -> bool:
    value = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    return value is not None and not (isinstance(value, ast.Constant) and not value.value)


def _has_averages(call: ast.Call, training: str) -> bool:
    """Whether the function is given averages, its second argument, that training is to move, its sixth."""
    given = dict(zip(("input", "running_mean", "running_var", "weight", "bias", training), call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    mean, moves = given.get("running_mean"), given.get(training)
    is_off = isinstance(moves, ast.Constant) and not moves.value
    is_left_out = moves is None and training == "training"  # the other one is on unless it is told otherwise
    return mean is not None and not ((isinstance(mean, ast.Constant) and mean.value is None) or is_off or is_left_out)
