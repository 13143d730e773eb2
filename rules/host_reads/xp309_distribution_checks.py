"""XP309: distributions that check their arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import Role, dotted
from xlaport.facts.structure import Class
from xlaport.rule import Applicability, Finding, Harm, Rule
from xlaport.wording import Text

from .._lib import host_only
from .._lib.arguments import with_argument
from .._lib.host_reads.saying import say

_PACKAGE = "torch.distributions."
_SWITCH = "set_default_validate_args"

CHECKED_WITHIN = frozenset(
    (
        "ContinuousBernoulli ExpRelaxedCategorical FisherSnedecor LKJCholesky Multinomial OneHotCategorical "
        "OneHotCategoricalStraightThrough RelaxedBernoulli RelaxedOneHotCategorical StudentT"
    ).split()
)
"""Those that check their arguments in spite of `validate_args=False`: most make another one within, without it.
Measured by `tests/host_reads/distributions.py`, on torch 2.9."""
_AROUND_OTHERS = frozenset({"TransformedDistribution", "Independent", "MixtureSameFamily"})
"""Those that are made around another one, and check the values that their own log_prob() gets."""
DECOMPOSED = frozenset(("LowRankMultivariateNormal", "MultivariateNormal", "Wishart"))
"""Those that decompose a matrix that they are given, which XLA has no kernel for."""


class DistributionChecks(Rule):
    """Build distributions without the checks that read from the TPU.

    ## What it does
    Adds `validate_args=False` to the distributions that a step builds of tensors of the TPU: `Normal(mean, std)`,
    `Categorical(logits=logits)`, classes of the project that derive from them, and distributions around them.

    ## Why
    A distribution checks that its parameters, and each value that `log_prob()` gets, are allowed. Each check reads one
    truth value from the TPU, and the host waits for it in every step (measured on torch_xla 2.9: two reads for
    `Normal`, one for `Categorical`, one more for `log_prob()`). What is computed is the same without the checks. Some
    distributions make another one within, and do not hand `validate_args` on: of the three reads of `RelaxedBernoulli`
    and of `OneHotCategorical`, one stays, and the recipe tells how to switch all of them off. `MultivariateNormal` and
    its like decompose a matrix, which XLA has no kernel for: the host still computes that.

    ## Example
        model = nn.Linear(4, 2).to("xla")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            dist = torch.distributions.Categorical(logits=model(x.to("xla")))
            loss = -dist.log_prob(dist.sample()).mean()
            loss.backward()
            optimizer.step()

    becomes

        model = nn.Linear(4, 2).to("xla")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            dist = torch.distributions.Categorical(logits=model(x.to("xla")), validate_args=False)
            loss = -dist.log_prob(dist.sample()).mean()
            loss.backward()
            optimizer.step()

    ## When it is wrong
    NaN in the parameters raises no error any more: look at the loss in every n-th step. Within a `try`, the fix is
    unsafe.

    ## When it is left alone
    Distributions whose checks are off, those of tensors of the host, and those that are made outside of steps.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, torch.distributions: https://docs.pytorch.org/docs/stable/distributions.html

    ## Related
    XP301, XP415.
    """

    code = "XP309"
    name = "distribution-checks"
    summary = "a distribution checks its arguments on the host"
    applicability = Applicability.SAFE
    harm = Harm.WAITS
    words = ("distributions",)
    across = ("distributions",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each distribution that a step builds."""
        if host_only.stays_on_host(context) or self._are_off(context):
            return
        for call in context.module.calls:
            distribution = self._distribution(context, call)
            if distribution is None or not self._asks(context, call) or not context.step_code.in_step(call):
                continue
            name, base = distribution
            function = context.module.function(call)
            around = (p for p in context.module.ancestors(call) if context.module.function(p) is function)
            guarded = any(isinstance(parent, ast.Try) for parent in around)
            yield self.finding(
                context.span(call),
                self._text(call, name, base),
                with_argument(context, call, "validate_args=False"),
                applicability=Applicability.UNSAFE if guarded else Applicability.SAFE,
            )

    def _are_off(self, context: Context) -> bool:
        return any(isinstance(node, ast.Attribute) and node.attr == _SWITCH for node in context.module.nodes)

    def _distribution(self, context: Context, call: ast.Call) -> tuple[str, str] | None:
        """The class that a call builds, torch's own or one of the project that derives from it, and torch's."""
        name = context.resolve(call.func)
        if name is not None and name.startswith(_PACKAGE):
            last = name.rpartition(".")[2]
            return (last, last) if last[:1].isupper() and not last.endswith("Transform") else None
        structure = context.flow.structure
        owner = self._constructed(context, call) or structure.class_named(context.view.own, call.func)
        if owner is None or (self._constructed(context, call) is None and structure.method(owner, "__init__")):
            return None
        bases = [name for name in structure.of_libraries(owner) if name.startswith(_PACKAGE)]
        last = bases[0].rpartition(".")[2] if bases else ""
        return (owner.node.name, last) if last and not last.endswith("Transform") else None

    def _constructed(self, context: Context, call: ast.Call) -> Class | None:
        """The class in which ``super().__init__(…)`` stands."""
        func, owner = call.func, context.module.class_of(call)
        if owner is None or not isinstance(func, ast.Attribute) or func.attr != "__init__":
            return None
        is_super = isinstance(func.value, ast.Call) and context.resolve(func.value.func) == "builtins.super"
        return Class(context.view.own, owner) if is_super else None

    def _text(self, call: ast.Call, name: str, base: str) -> Text:
        if base in CHECKED_WITHIN:
            return say("XP309.within", name=name, base=base)
        is_factor = base == "MultivariateNormal" and any(keyword.arg == "scale_tril" for keyword in call.keywords)
        if base in DECOMPOSED and not is_factor:
            return say("XP309.decomposed", name=name)
        return say("XP309.checks", name=name)

    def _asks(self, context: Context, call: ast.Call) -> bool:
        """Whether a distribution is built of tensors of the device, and with its checks."""
        if any(k.arg in (None, "validate_args") for k in call.keywords) or not context.editable(call):
            return False
        given = [*call.args, *(k.value for k in call.keywords)]
        if any(isinstance(value, ast.Starred) for value in given):
            return False
        if any(context.roles.is_(value, Role.TENSOR) for value in given):
            return True
        distribution = self._distribution(context, call)
        is_around = distribution is not None and distribution[1] in _AROUND_OTHERS
        around = self._values(context, given[0]) if is_around and given else []
        return any(self._is_of_tensors(context, value) for value in around)

    def _values(self, context: Context, node: ast.expr) -> list[ast.expr]:
        """What a distribution is made around: itself, or what its name or its attribute was given just here."""
        if isinstance(node, ast.Name):
            return [b.value for b in context.names.reaching(node) if b.value is not None]
        path, function = dotted(node), context.module.function(node)
        if path is None or function is None:
            return [node]
        assigned = (n for n in ast.walk(function) if isinstance(n, ast.Assign))
        return [n.value for n in assigned if any(dotted(target) == path for target in n.targets)]

    def _is_of_tensors(self, context: Context, node: ast.expr) -> bool:
        """Whether an expression makes a distribution of tensors of the device."""
        if not isinstance(node, ast.Call) or self._distribution(context, node) is None:
            return False
        given = [*node.args, *(k.value for k in node.keywords)]
        return any(context.roles.is_(value, Role.TENSOR) for value in given)
