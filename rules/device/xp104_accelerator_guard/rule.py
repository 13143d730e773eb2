"""XP104: questions whether CUDA is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import dotted
from xlaport.rule import Applicability, Finding, Harm, Import, RemoveStatement, Replace, Rule
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.device import branches, cuda, device_groups, guarded
from ..._lib.device.fold import Fold
from ..._lib.device.saying import say
from ..._lib.device.shown import is_shown
from ..._lib.one_line import one_line
from . import unused
from .followed import through_name
from .loading_choice import loads_elsewhere

_CUDA_FEATURES = frozenset({"pin_memory", "non_blocking", "fused", "capturable"})
"""Options that a CUDA device alone has a use for: on a TPU the answer to them is no."""


class AcceleratorGuard(Rule):
    """Answer `torch.cuda.is_available()` with yes, and fold what follows from it.

    ## What it does
    The check guards the GPU's path, and on a TPU the answer is yes. In an `and` the check is removed; a conditional
    expression or an `if` becomes its first branch; an assertion, or an `if not …`, is removed. Anywhere else the call
    becomes `True`. A path for machines without a GPU is removed with the check where it does nothing that could be
    missed (the CPU device, a smaller size, a message, `raise`); one that does work of its own stays, and the finding
    says so. A message that a GPU is there and not used is removed.

    The check stays, and is reported, where yes would be wrong: before a choice of float16, for a name of half
    precision where the check that chooses the device stays (half precision is not for the CPU), in a decorator that
    skips a test, and before code that needs CUDA itself (`torch.cuda.get_device_name()`, apex, a module that is
    imported only then, `torch.version.cuda`): under it, or after an `if not …: return`. The same holds where it is only
    printed, or the function itself is passed on.

    ## Why
    Under torch_xla both `torch.cuda.is_available()` and `torch.accelerator.is_available()` are False: the
    script would silently train on the CPU.

    ## Example
        use_cuda = not args.no_cuda and torch.cuda.is_available()
        kwargs = {"num_workers": 4} if torch.cuda.is_available() else {}

    becomes

        use_cuda = not args.no_cuda
        kwargs = {"num_workers": 4}

    ## When it is wrong
    Where code far from the check needs CUDA itself (a custom kernel under `if use_cuda:`): port such a branch by hand.

    ## When it is left alone
    A check whose answer is only shown, kept for something else or passed on; one that guards kernels, CUDA's
    packages, nccl, float16, DistributedDataParallel of a gloo group, what another runtime has for CUDA
    (`onnxruntime-gpu`, `CUDAExecutionProvider`), or the end of a package's name; one under `if kind == "cuda":`, which
    no XLA device is; one in a decorator or call that skips a test; one beside another accelerator's, or XLA's own; a
    method of the user's own of that name.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP101, XP109, XP110, XP802.
    """

    code = "XP104"
    name = "accelerator-guard"
    summary = "torch.cuda.is_available() is answered with yes"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    words = ("is_available", "is_bf16_supported")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each question."""
        for node in context.module.nodes:
            if isinstance(node, ast.Call):
                if cuda.is_available_call(context, node):
                    if host_only.seeds_a_gpu_it_does_not_use(context, node):
                        continue
                    yield from self._question(context, node)
                elif self._is_beside_a_question(context, node):
                    yield self.finding(
                        context.span(node),
                        say("XP104.beside", question=one_line(context, node)),
                        *Fold(context).edits(node),
                    )
            elif isinstance(node, ast.Name | ast.Attribute) and self._is_handed_on(context, node):
                yield self.finding(context.place(node), say("XP104.handed", name=context.resolve(node)))

    def _question(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        question = one_line(context, call)
        if self._locates(context, call) or self._chooses_device(context, call):
            return
        if unused.is_asked_for_a_word(context, call):
            if not unused.waits(context, call):
                said = say("XP104.word", question=question)
                yield self.finding(context.span(call), said, *Fold(context).edits(call, False))
            return
        if not context.editable(call) or is_shown(context, call):
            yield self.finding(context.place(call), say("XP104.shown", question=question))
            return
        asked = guarded.asked_of_cuda(context, call)
        if asked is not None:
            said = say("XP104.under", question=question, asked=one_line(context, asked))
            yield self.finding(context.span(call), said)
            return
        why_not = guarded.why_not(context, call) or self._names_cuda(context, call)
        if why_not is not None:
            yield self.finding(context.span(call), why_not)
        elif (feature := self._cuda_feature(context, call)) is not None:
            if feature == "pin_memory" and "XP105" in context.codes:
                return  # it takes the option out; elsewhere, no is the answer by itself
            yield self.finding(
                context.span(call),
                say("XP104.feature", question=question),
                Replace(context.span(call), "False"),
            )
        else:
            yield self._answered(context, call, question)

    def _names_cuda(self, context: Context, call: ast.Call) -> Text | None:
        """A choice between lists and the like in which a "cuda" stands that isn't seen to reach a device."""
        node, truth = Fold(context).decided(call, True)
        choice = context.module.parents[node]
        if not isinstance(choice, ast.IfExp) or choice.test is not node or self._label(context, call) is not None:
            return None
        taken = choice.body if truth else choice.orelse
        for name in ast.walk(taken):
            if isinstance(name, ast.expr) and cuda.is_cuda_string(name) and not self._is_ported(context, name, choice):
                return say("XP104.unseen", question=one_line(context, call), name=one_line(context, name))
        return None

    def _is_ported(self, context: Context, name: ast.expr, choice: ast.IfExp) -> bool:
        return is_shown(context, choice) or bool(context.flow.reach(name).sinks)

    def _answered(self, context: Context, call: ast.Call, question: str) -> Finding:
        label = self._label(context, call)
        if label is not None:
            return self.finding(
                context.span(call),
                say("XP104.label", question=question),
                Replace(context.span(label), f'"{context.target.device_type}"'),
                applicability=Applicability.UNSAFE,
            )
        said = say("XP104.path", question=question)
        followed = through_name(context, call)
        if followed is not None:
            return self.finding(context.span(call), said, *followed)
        fallback = self._fallback(context, call) or self._wish(context, call)
        if fallback is not None and not self._has_device(context, call):
            return fallback
        fold = Fold(context)
        node, truth = fold.decided(call, True)
        if loads_elsewhere(context, node, truth) and (edits := fold.folded(node, not truth)):
            return self.finding(context.span(call), say("XP104.loads"), *edits)
        parent = context.module.parents[call]
        first = next((v for v in _operands(parent) if self._is_beside_a_question(context, v)), None)
        if first is not None:
            return self.finding(context.span(call), said, *fold.edits(first))
        is_if = isinstance(context.module.parents[node], ast.If)
        if branches.missed(context, node, truth) is not None or (is_if and not fold.folded(node, truth)):
            said = say("XP104.other", question=question)
        elif (idle := self._idle(context, node, truth)) is not None:
            return self.finding(context.span(call), said, RemoveStatement(context.span(idle)))
        return self.finding(context.span(call), said, *fold.careful_edits(node, truth))

    def _idle(self, context: Context, node: ast.expr, truth: bool) -> ast.If | None:
        """What is left of ``if device == "xla":`` where its question is answered, and sets the device to the same."""
        asking = context.module.parents[node]
        if not isinstance(asking, ast.If) or asking.test is not node:
            return None
        kept, _ = branches.sides(asking, truth)
        setting = kept[0] if len(kept) == 1 else None
        if not isinstance(setting, ast.Assign):
            return None
        return branches.says_again(context, asking, setting, setting.value)

    def _fallback(self, context: Context, call: ast.Call) -> Finding | None:
        """``if not torch.cuda.is_available(): cfg.device = "cpu"``, where the file shows no other value."""
        negation = context.module.parents[call]
        statement = context.module.statement(call)
        if not isinstance(negation, ast.UnaryOp) or not isinstance(statement, ast.If):
            return None
        parent = context.module.parents[negation]
        among = isinstance(parent, ast.BoolOp) and isinstance(parent.op, ast.And) and statement.test is parent
        setting = statement.body[0]
        if not (among or statement.test is negation) or len(statement.body) != 1 or statement.orelse:
            return None
        if not isinstance(setting, ast.Assign) or not cuda.is_cpu_device(context, setting.value):
            return None
        if not any("device" in (dotted(target) or "").lower() for target in setting.targets):
            return None
        if any(cuda.is_cuda_string(node) for node in context.module.nodes):
            return None  # the name of the device is here, and is ported
        device, imports = f'"{context.target.device_type}"', tuple[Import, ...]()
        if not cuda.is_cpu_string(setting.value):
            symbol, imports = context.symbol("device", setting)
            device = f"{symbol}()"
        target = context.module.segment(setting.targets[0])
        asked = target if cuda.is_cpu_string(setting.value) else f"str({target})"
        dropped = Fold(context).folded(negation, True) if among else None
        return self.finding(
            context.span(call),
            say("XP104.fallback", target=target),
            *(dropped or [Replace(context.span(negation), f'{asked} != "cpu"')]),
            Replace(context.span(setting.value), device),
            imports=imports,
            applicability=Applicability.UNSAFE,
        )

    def _wish(self, context: Context, call: ast.Call) -> Finding | None:
        """``if name == "cuda" and not torch.cuda.is_available(): return "cpu"``: "cuda" must not go on from here."""
        negation = context.module.parents[call]
        test, statement = context.module.parents[negation], context.module.statement(call)
        if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
            return None
        if not isinstance(negation, ast.UnaryOp) or not isinstance(statement, ast.If) or statement.test is not test:
            return None
        wishes = [v for v in test.values if isinstance(v, ast.Compare) and isinstance(v.ops[0], ast.Eq)]
        setting = statement.body[0]
        value = setting.value if isinstance(setting, ast.Assign | ast.Return) else None
        dropped = Fold(context).folded(negation, True)
        if value is None or len(statement.body) != 1 or not cuda.is_cpu_device(context, value):
            return None
        wish = next((v for v in wishes if any(cuda.is_cuda_string(side) for side in [v.left, *v.comparators])), None)
        if wish is None or not dropped:
            return None
        device, imports = f'"{context.target.device_type}"', tuple[Import, ...]()
        if not cuda.is_cpu_string(value):
            symbol, imports = context.symbol("device", setting)
            device = f"{symbol}()"
        return self.finding(
            context.span(call),
            say("XP104.wish", wish=one_line(context, wish)),
            Replace(context.span(value), device),
            *dropped,
            imports=imports,
        )

    def _has_device(self, context: Context, call: ast.Call) -> bool:
        """``if device == "cuda" and not …: device = "cpu"``, where the name says "xla" by itself, or is about to."""
        test, statement = context.module.parents[context.module.parents[call]], context.module.statement(call)
        if not isinstance(test, ast.BoolOp) or not isinstance(statement, ast.If) or statement.test is not test:
            return False
        setting = statement.body[0]
        targets = [dotted(target) for target in setting.targets] if isinstance(setting, ast.Assign) else []
        wishes = [v for v in test.values if isinstance(v, ast.Compare) and targets == [dotted(v.left)]]
        said = wishes[0].comparators[0] if wishes and isinstance(wishes[0].ops[0], ast.Eq) else None
        if not isinstance(said, ast.Constant):
            return False
        return said.value == context.target.device_type or device_groups.is_renamed(context, said)

    def _label(self, context: Context, call: ast.Call) -> ast.IfExp | None:
        """``device = "cuda" if torch.cuda.is_available() else "cpu"``, where the name isn't seen to reach a device."""
        parent = context.module.parents[call]
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            parent = context.module.parents[parent]
        chosen = cuda.choice(parent)
        if chosen is None or chosen.test is not call:
            return None
        if not cuda.is_cuda_string(chosen.accelerator):
            return None
        outer = context.module.parents[chosen.node]
        name = outer.arg if isinstance(outer, ast.keyword) else None
        if isinstance(outer, ast.Assign | ast.AnnAssign):
            target = outer.targets[0] if isinstance(outer, ast.Assign) else outer.target
            name = (dotted(target) or "").rpartition(".")[2]
        elif isinstance(outer, ast.Return):
            function = context.module.function(outer)
            name = function.name if function is not None else None
        return chosen.node if name is not None and "device" in name.lower() else None

    def _is_beside_a_question(self, context: Context, call: ast.expr) -> bool:
        """``hasattr(torch, "cuda") and torch.cuda.is_available()``, where the first is true."""
        if not isinstance(call, ast.Call):
            return False
        parent = context.module.parents[call]
        if context.resolve(call.func) != "builtins.hasattr" or len(call.args) != 2 or not context.editable(call):
            return False
        owner, name = context.resolve(call.args[0]), call.args[1]
        asked = {"torch.cuda", *cuda.available(context.target.table)}
        if not isinstance(name, ast.Constant) or f"{owner}.{name.value!s}" not in asked:
            return False
        if not isinstance(parent, ast.BoolOp) or not isinstance(parent.op, ast.And):
            return False
        questions = [value for value in parent.values if cuda.is_available_call(context, value)]
        return any(guarded.why_not(context, question) is None for question in questions)

    def _is_handed_on(self, context: Context, node: ast.Name | ast.Attribute) -> bool:
        """The function itself as a value: ``probe = torch.cuda.is_available``, if not to be called by that name."""
        if not isinstance(node.ctx, ast.Load) or context.resolve(node) not in cuda.available(context.target.table):
            return False
        parent = context.module.parents[node]
        if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
            return False
        return not isinstance(parent, ast.Attribute) and not (isinstance(parent, ast.Call) and parent.func is node)

    def _chooses_device(self, context: Context, call: ast.Call) -> bool:
        """The test of a choice between the CUDA and the CPU device: XP101 and XP103 speak of it."""
        parent = context.module.parents[call]
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            parent = context.module.parents[parent]
        chosen = cuda.choice(parent)
        if chosen is not None and cuda.is_gpu_number(chosen.accelerator):
            made = context.module.parents[chosen.node]
            return isinstance(made, ast.Call) and context.resolve(made.func) == "torch.device"
        return (
            chosen is not None
            and chosen.test is call
            and (cuda.is_cuda_string(chosen.accelerator) or cuda.is_cuda_device(context, chosen.accelerator))
            and cuda.is_cpu_device(context, chosen.other)
            # A mere label is no affair of XP103.
            and not (cuda.is_cuda_string(chosen.accelerator) and not context.flow.reach(chosen.accelerator).sinks)
        )

    def _locates(self, context: Context, call: ast.Call) -> bool:
        """Inside ``map_location=…``: XP701 speaks of it."""
        keyword = next((p for p in context.module.ancestors(call) if isinstance(p, ast.keyword | ast.stmt)), None)
        return isinstance(keyword, ast.keyword) and keyword.arg == "map_location"

    def _cuda_feature(self, context: Context, call: ast.Call) -> str | None:
        """The option that a call is the value of, ``pin_memory=torch.cuda.is_available()``, of use to CUDA alone."""
        parent = context.module.parents[call]
        name: object = None
        if isinstance(parent, ast.Dict):
            name = next((k for k, v in zip(parent.keys, parent.values, strict=True) if v is call), None)
        elif isinstance(parent, ast.Assign):
            target = parent.targets[0]
            name = target.slice if isinstance(target, ast.Subscript) else (dotted(target) or "").rpartition(".")[2]
        elif isinstance(parent, ast.keyword):
            outer = context.module.parents[parent]
            is_scaler = isinstance(outer, ast.Call) and (context.resolve(outer.func) or "").endswith("GradScaler")
            if parent.arg == "enabled" and is_scaler:
                return "enabled"
            name = parent.arg
        name = name.value if isinstance(name, ast.Constant) else name
        return name if isinstance(name, str) and name in _CUDA_FEATURES else None


def _operands(node: ast.AST) -> list[ast.expr]:
    return node.values if isinstance(node, ast.BoolOp) else []
