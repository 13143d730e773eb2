"""XP101: the device object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.finding import Span
from xlaport.rule import Applicability, Finding, Harm, Import, Replace, ReplaceStatement, Rule
from xlaport.target import Symbol

from .._lib import process_start
from .._lib.device import cuda
from .._lib.device.cuda_code import is_of_engine
from .._lib.device.saying import say
from .._lib.parentheses import with_own_lines
from .._lib.removal import is_effect_free


class DeviceObject(Rule):
    """Make `torch.device("cuda")` the XLA device.

    ## What it does
    Replaces `torch.device("cuda")`, `torch.device("cuda:0")`, `torch.device(f"cuda:{rank}")`,
    `torch.accelerator.current_accelerator()` and the usual choice between CUDA and the CPU, or between two GPUs, by
    `torch_xla.device()`. In the default of a parameter, in the body of a class, and in what runs before a program
    starts its processes or joins them, it becomes `torch.device("xla")`, which names the device without starting
    it: `torch_xla.device()` would start the TPU in that process, too early for `torch_xla.launch()`.

    ## Why
    A TPU is reached through the XLA device. Each process sees its device as index 0 ("xla:1" raises), so
    an index is dropped. `torch.accelerator` does not know XLA: under torch_xla 2.9 it says that there is
    no accelerator, or names CUDA. The XLA device is the TPU, or the CPU with `PJRT_DEVICE=CPU`.

    ## Example
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    becomes

        device = torch_xla.device()

    ## When it is wrong
    A program that keeps several models on several devices of one process has to be split into processes
    (`torch_xla.launch`): here all of them land on the one device.

    ## When it is left alone
    Code after the import of TensorRT in its block, which takes tensors of NVIDIA GPUs.
    `torch.device("cpu")`, "meta", "mps", "xpu" and "xla" stay, and so does what is called `torch` or `device` in the
    user's own code. So do an index that is not known (`torch.device(i)`), and texts that only mention a device.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html
    - PyTorch/XLA, Migrating from GPUs to TPUs: https://docs.pytorch.org/xla/master/learn/migration-to-xla-on-tpus.html

    ## Related
    XP102, XP103, XP104, XP111.
    """

    code = "XP101"
    name = "cuda-device-object"
    summary = 'torch.device("cuda") becomes torch_xla.device()'
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("device", "current_accelerator")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each CUDA device object or choice of one."""
        done: set[ast.AST] = set()
        for node in context.module.of_type(ast.If, ast.IfExp):
            if isinstance(node, ast.If) and self._is_idle_choice(context, node):
                done |= set(ast.walk(node))
                yield self._merged(context, node)
            elif isinstance(node, ast.IfExp) and self._is_choice(context, node):
                done |= set(ast.walk(node))
                yield self._replace(context, node)
        for call in context.module.calls:
            if call in done or cuda.asks_cuda(context, call) or is_of_engine(context, call):
                continue
            chosen = self._chosen(call.args[0]) if len(call.args) == 1 and not call.keywords else None
            if cuda.is_cuda_device(context, call):
                yield self._replace(context, call)
            elif chosen and context.resolve(call.func) == "torch.device" and _is_cuda(chosen):
                yield self._choice(context, call, chosen)

    def _chosen(self, node: ast.expr) -> cuda.Choice | None:
        """``"cuda" if args.gpu else "cpu"``, and ``"cpu" if args.cpu else "cuda"``."""
        chosen = cuda.choice(node)
        turned = cuda.Choice(chosen.node, chosen.test, chosen.other, chosen.accelerator) if chosen is not None else None
        return turned if turned is not None and cuda.is_cpu_string(turned.other) else chosen

    def _is_choice(self, context: Context, node: ast.IfExp) -> bool:
        """``torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")``, or two CUDA devices."""
        chosen = cuda.choice(node)
        if chosen is None or not cuda.is_cuda_device(context, chosen.accelerator):
            return False
        if cuda.is_cuda_device(context, chosen.other):
            return is_effect_free(context, chosen.test)
        return cuda.is_available_call(context, chosen.test) and cuda.is_cpu_device(context, chosen.other)

    def _is_idle_choice(self, context: Context, node: ast.If) -> bool:
        """``if gpu: device = torch.device(f"cuda:{gpu}")``, ``else: device = torch.device("cuda")``."""
        if len(node.body) != 1 or len(node.orelse) != 1 or not is_effect_free(context, node.test):
            return False
        one, other = node.body[0], node.orelse[0]
        if not isinstance(one, ast.Assign) or not isinstance(other, ast.Assign):
            return False
        if context.module.text.startswith("elif", context.span(node).start):
            return False
        same = [ast.dump(t) for t in one.targets] == [ast.dump(t) for t in other.targets]
        return same and cuda.is_cuda_device(context, one.value) and cuda.is_cuda_device(context, other.value)

    def _merged(self, context: Context, node: ast.If) -> Finding:
        assign = node.body[0]
        assert isinstance(assign, ast.Assign)
        device, imports, _ = self._device(context, assign.value)
        targets = " = ".join(context.module.segment(target) for target in assign.targets)
        return self.finding(
            context.span(node),
            say("XP101.merged", device=device),
            ReplaceStatement(context.span(node), f"{targets} = {device}"),
            imports=imports,
        )

    def _choice(self, context: Context, call: ast.Call, chosen: cuda.Choice) -> Finding:
        both = cuda.is_cuda_string(chosen.other)
        idle = both and is_effect_free(context, chosen.test)
        is_asked = chosen == cuda.choice(chosen.node) and cuda.is_available_call(context, chosen.test)
        if idle or is_asked or not context.editable(call):
            return self._replace(context, call)
        first, imports, _ = self._device(context, call)
        second = first if both else f"{context.module.segment(call.func)}({context.module.segment(chosen.other)})"
        is_first = chosen.node.body is chosen.accelerator
        body, orelse = (first, second) if is_first else (second, first)
        opening, closing = ("(", ")") if cuda.needs_parentheses(context, call) else ("", "")
        # Around the test, which XP104 shortens in the same round.
        span, test = context.span(call), context.span(chosen.node.test)
        return self.finding(
            span,
            say("XP101.device" if both else "XP101.choice", device=first),
            Replace(Span(span.start, test.start), f"{opening}{body} if "),
            Replace(Span(test.end, span.end), f" else {orelse}{closing}"),
            imports=imports,
        )

    def _replace(self, context: Context, node: ast.expr) -> Finding:
        text, imports, early = self._device(context, node)
        if not context.editable(node):
            return self.finding(context.place(node), say("XP101.text", device=text))
        edit = Replace(with_own_lines(context, node), text)
        if index := cuda.device_index(node):
            said = say("XP101.index", index=index, device=text)
        else:
            said = say("XP101.early", device=text) if early else say("XP101.device", device=text)
        return self.finding(context.span(node), said, edit, imports=imports)

    def _device(self, context: Context, node: ast.expr) -> tuple[str, tuple[Import, ...], bool]:
        """The device at a node, its imports, and whether the node runs too early to start the device."""
        constructor = self._constructor(context, node)
        early = constructor is not None and self._runs_on_import(context, node)
        device, imports = context.symbol("device", node)
        if not early and not process_start.runs_before(context, node):
            return f"{device}()", imports, False
        if constructor is None:
            constructor, more = context.spell(Symbol(Import("torch", "torch"), "device"), node)
            imports = (*imports, *more)
        return f'{constructor}("{context.target.device_type}")', imports, True

    def _constructor(self, context: Context, node: ast.expr) -> str | None:
        """How the expression spells ``torch.device``."""
        calls = (n for n in ast.walk(node) if isinstance(n, ast.Call) and context.resolve(n.func) == "torch.device")
        call = next(calls, None)
        return context.module.segment(call.func) if call is not None else None

    def _runs_on_import(self, context: Context, node: ast.expr) -> bool:
        """The default of a parameter, or the body of a class, outside of any function."""
        within = False
        child: ast.AST = node
        for parent in context.module.ancestors(node):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                if child is not parent.args:
                    return False
                within = True
            within = within or isinstance(parent, ast.ClassDef)
            child = parent
        return within


def _is_cuda(chosen: cuda.Choice) -> bool:
    """Whether a choice is one of ``"cuda"``, or of a GPU's number, of which the other side is the CPU."""
    of_number = cuda.is_gpu_number(chosen.accelerator) and cuda.is_cpu_string(chosen.other)
    return of_number or cuda.is_cuda_string(chosen.accelerator)
