"""XP416: what XLA does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from xlaport.context import Context
from xlaport.facts.gradients import may_get_gradient
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from ..._lib import host_only
from ..._lib.comments import has_comment
from ..._lib.one_line import one_line
from ..._lib.shapes.helpers import helper, is_helper
from ..._lib.shapes.kernels import launches_kernel
from ..._lib.shapes.missing import Missing, missing
from ..._lib.shapes.saying import say
from ..._lib.shapes.shared_helpers import Adding
from .addresses import as_address
from .given_to_process import given_to_process
from .never_on_xla import never_runs
from .storage_answers import serves


class NotOnXla(Rule):
    """Name what XLA does not have.

    ## What it does
    Finds what tensors of XLA cannot do, or do otherwise without a word: `data_ptr()`, `stride()`, storages, shared
    memory, DLPack, `copy.copy()`, nested, quantized and named tensors, `kaiser_window()`. The table behind it,
    `rules/shapes/not_on_xla.toml`, is measured on torch_xla 2.9. Models and tensors of the device that are given to a
    `multiprocessing.Process` are reported, too. The determinants whose gradient XLA does not have, `slogdet()` and
    `logdet()`, are computed by a function that is added to the file (`--unsafe`).

    ## Why
    A tensor of XLA is a value that is yet to be computed. It has no address, no strides and no storage that other code
    could read: what asks for them raises an error, or gets the answer of a contiguous tensor. Two names of one tensor
    are found with `is`; nothing finds two tensors that share memory. A process that is spawned with a tensor of the
    device raises `RuntimeError: _share_fd_: only available on CPU`, and one that is forked cannot use the device.

    ## Example
        x = torch.zeros(4, device="xla")
        y = x.view(2, 2)
        if x.data_ptr() == y.data_ptr():
            print("the same memory")

    is reported: both are 0 for all tensors. Keep in a variable what the address was to tell:

        x = torch.zeros(4, device="xla")
        y, is_view_of_x = x.view(2, 2), True
        if is_view_of_x:
            print("the same memory")

    ## When it is wrong
    Where the code runs for other devices only. The added function gives NaN for a matrix without an inverse, and has no
    gradient of its gradient.

    ## When it is left alone
    What other libraries call so, tensors of the host, strides that are the same on XLA (of a new tensor, or one made
    contiguous), and those that are handed to a kernel, which must be rewritten in any case; models of the host
    that a process gets.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/not_on_xla.toml`, and processes that are given a model.

    ## Related
    XP405, XP414, XP418.
    """

    code = "XP416"
    name = "not-on-xla"
    summary = "what tensors of XLA do not have"
    applicability = Applicability.MANUAL
    harm = Harm.STOPS
    traits = (Trait.XLA_TENSOR,)
    words = tuple(sorted({"Process", *(entry.name.rpartition(".")[2] for entry in missing())}))

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of what is missing."""
        if host_only.stays_on_host(context):
            return
        seen: set[tuple[ast.stmt, str]] = set()
        for node in context.module.of_type(ast.Call, ast.Attribute):
            found = self._use(context, node)
            if found is None or never_runs(context, node):
                continue
            if (place := (context.module.statement(node), found[0].name)) not in seen:
                seen.add(place)
                entry, tensor = found
                text = one_line(context, tensor) if tensor is not None else "the tensor"
                name = f"{entry.name}=" if entry.kind == "keyword" else entry.name
                shown = name if entry.kind in ("function", "keyword") else f"{text}.{name}"
                called = "()" if entry.kind in ("function", "method") else ""
                what = f"{shown}{called}"
                if (helped := self._helped(context, node, entry, tensor, what)) is not None:
                    yield helped
                    continue
                told = as_address(context, node, entry.name, what, text) if isinstance(node, ast.Call) else None
                if told is None:
                    recipe = _with_late_double(context, entry.recipe, tensor).replace("{tensor}", text)
                    told = say("XP416.missing", what=what, why=entry.why.replace("{tensor}", text), recipe=recipe)
                yield self.finding(context.place(node), told)
        for call in context.module.calls:
            given = given_to_process(context, call)
            if given is not None:
                yield self.finding(context.place(given[0]), given[1])

    def _helped(
        self, context: Context, node: ast.AST, entry: Missing, tensor: ast.expr | None, what: str
    ) -> Finding | None:
        """What a function with a gradient takes the place of."""
        if not entry.helper or not isinstance(node, ast.Call) or tensor is None or not context.editable(node):
            return None
        given = len(node.args) + len(node.keywords)
        if given != (entry.kind == "function") or is_helper(context, node) or has_comment(context, node):
            return None
        defined = helper(context, entry.helper, node, Adding(self.check, self.code, Applicability.UNSAFE))
        if defined is None:
            return None
        single = _before_double(tensor)
        why = entry.why.replace("{tensor}", one_line(context, tensor))
        type_ = "" if single is None else say.phrase("in_float32")
        return self.finding(
            context.span(node),
            say("XP416.helped", what=what, why=why, helper=entry.helper, source=defined.source, type=type_),
            *defined.edits,
            Replace(context.span(node), f"{entry.helper}({context.module.segment(single or tensor)})"),
            imports=defined.imports,
            applicability=Applicability.UNSAFE,
        )

    def _use(self, context: Context, node: ast.AST) -> tuple[Missing, ast.expr | None] | None:
        """The entry that a node uses, and the tensor that it uses it on."""
        if isinstance(node, ast.Call):
            return self._call(context, node)
        if isinstance(node, ast.Attribute) and ("attribute", node.attr) in _by_name():
            if context.roles.is_(node.value, Role.TENSOR):
                return _by_name()["attribute", node.attr], node.value
        return None

    def _call(self, context: Context, call: ast.Call) -> tuple[Missing, ast.expr | None] | None:
        name = context.resolve(call.func)
        if name is None:
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            found = _by_name().get(("method", method))
            if found is None or not isinstance(call.func, ast.Attribute):
                return None
            if method == "stride" and _is_for_a_kernel(context, call):
                return None  # a kernel of a GPU takes them, which is another matter
            if method in ("stride", "storage_offset") and serves(context, call):
                return None
            if launches_kernel(context, context.module.function(call)):
                return None
            return (found, call.func.value) if self._is_on_xla(context, call, found, call.func.value) else None
        found = _by_name().get(("function", name))
        if found is not None:
            listed = [e for a in call.args for e in (a.elts if isinstance(a, ast.List | ast.Tuple) else [a])]
            tensor = next((e for e in listed if self._is_on_xla(context, call, found, e)), None)
            if tensor is not None and not name.startswith("torch."):
                # A function such as copy.copy() takes anything, and so does a layer's forward().
                return (found, tensor) if context.singles.is_one(context.view.own, tensor) else None
            there = any(k.arg == "device" and context.roles.is_(k.value, Role.DEVICE) for k in call.keywords)
            return (found, tensor) if tensor is not None or there else None
        for keyword in call.keywords:
            found = _by_name().get(("keyword", keyword.arg or ""))
            if found is not None and name.startswith("torch.") and context.roles.is_(call, Role.TENSOR):
                return found, None
        return None

    def _is_on_xla(self, context: Context, call: ast.Call, entry: Missing, node: ast.expr) -> bool:
        """Whether a value is a tensor of the device; if only its gradient is missing, whether one may come."""
        if not entry.lacks_gradient:
            if entry.right_for is not None and context.tensors.held(context.view.own, node).rank == entry.right_for:
                return False
            return context.roles.is_(node, Role.TENSOR)
        if context.roles.role(node) not in (Role.TENSOR, None) or context.loops.gradients_are_off(call):
            return False
        return may_get_gradient(context.view.own, call)


def _is_for_a_kernel(context: Context, call: ast.Call) -> bool:
    """An argument of ``kernel[grid](x, x.stride(0))``, as Triton launches one."""
    launch = context.module.parents[call]
    if isinstance(launch, ast.keyword):
        launch = context.module.parents[launch]
    return isinstance(launch, ast.Call) and isinstance(launch.func, ast.Subscript)


def _with_late_double(context: Context, recipe: str, tensor: ast.expr | None) -> str:
    """A recipe that moves to the host before it makes float64, which no TPU has: ``x.cpu().double()``."""
    single = _before_double(tensor)
    if single is None:
        return recipe
    return recipe.replace("{tensor}.cpu()", f"{one_line(context, single)}.cpu().double()")


def _before_double(tensor: ast.expr | None) -> ast.expr | None:
    """``x`` of ``x.double()``."""
    func = tensor.func if isinstance(tensor, ast.Call) and not tensor.args else None
    return func.value if isinstance(func, ast.Attribute) and func.attr == "double" else None


@cache
def _by_name() -> dict[tuple[str, str], Missing]:
    return {(entry.kind, entry.name): entry for entry in missing()}
