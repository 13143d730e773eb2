"""XP707: `.module` of a model that is in no wrapper."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.structure import Class
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule

from .._lib.checkpoint.saying import say
from .._lib.one_line import one_line

_MODULES = frozenset({"torch.nn.Module", "torch.nn.modules.module.Module"})
_ASKS = frozenset({"builtins.hasattr", "builtins.isinstance", "builtins.getattr"})
_MAKING = frozenset({"to", "cuda", "train", "eval", "half", "bfloat16", "float"})


class MissingWrapper(Rule):
    """Leave out the `.module` of a wrapper that is gone.

    ## What it does
    Finds `model.module` of a model of the project that nothing wraps, and that has no such attribute, and takes
    the `.module` out.

    ## Why
    DistributedDataParallel and DataParallel keep the model as `module`. Where a port has dropped the wrapper and not
    this, the program raises an AttributeError, often only with the first checkpoint, after hours.

    ## Example
        class Net(nn.Module):
            def forward(self, x):
                return x

        model = Net().to("xla")
        state = model.module.state_dict()

    becomes

        class Net(nn.Module):
            def forward(self, x):
                return x

        model = Net().to("xla")
        state = model.state_dict()

    ## When it is wrong
    Where something that is not in the project gives the model the attribute.

    ## When it is left alone
    A model that something wraps, and one of which that is not known.

    ## Sources
    - PyTorch, DistributedDataParallel:
      https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html
    - PyTorch, DataParallel: https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html

    ## Related
    XP603, XP702.
    """

    code = "XP707"
    name = "missing-wrapper"
    summary = ".module of a model that nothing wraps"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = (".module",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each `.module` of a model without it."""
        for node in context.view.own.loads.get("module", ()):
            if not isinstance(node.value, ast.Name) or not context.editable(node) or _is_asked(context, node):
                continue
            made = _made(context, node.value)
            if made is not None and not _has_module(context, made):
                model = one_line(context, node.value)
                yield self.finding(
                    context.span(node),
                    say("XP707.removed", model=model, owner=made.node.name),
                    Replace(context.tail(node, node.value), ""),
                )


def _made(context: Context, name: ast.Name) -> Class | None:
    """The class of a model that a name holds, where every way of binding it makes one, and nothing wraps it."""
    bindings = context.names.bindings(name)
    if not bindings or any(b.how is not How.ASSIGN or b.value is None for b in bindings):
        return None
    found = [_class(context, b.value, name.id) for b in bindings if b.value is not None]
    classes = {c for c in found if isinstance(c, Class)}
    return classes.pop() if None not in found and len(classes) == 1 else None


def _class(context: Context, value: ast.expr, name: str) -> Class | bool | None:
    """The class that a value is an instance of; True for the model itself, moved."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _MAKING:
        value = value.func.value
        if isinstance(value, ast.Name) and value.id == name:
            return True
    if not isinstance(value, ast.Call):
        return None
    owner = context.flow.structure.class_named(context.view.own, value.func)
    return owner if owner is not None and context.flow.structure.is_module(owner) else None


def _has_module(context: Context, owner: Class) -> bool:
    """Whether a model may have an attribute of this name, of its own or of a base class that is not seen."""
    bases = context.flow.structure.bases(owner)
    for base in bases:
        for outer in base.node.bases:
            known = context.flow.structure.class_named(base.facts, outer)
            if known is None and base.facts.names.resolve(outer) not in _MODULES:
                return True
        for node in ast.walk(base.node):
            if isinstance(node, ast.Attribute) and node.attr == "module" and isinstance(node.ctx, ast.Store):
                return True
            if isinstance(node, ast.FunctionDef) and node.name in ("module", "__getattr__", "__getattribute__"):
                return True
            if isinstance(node, ast.Constant) and node.value == "module":
                return True
            if isinstance(node, ast.Name) and node.id == "module" and isinstance(node.ctx, ast.Store):
                return True
    return False


def _is_asked(context: Context, node: ast.Attribute) -> bool:
    """Whether code asks first whether there is a wrapper, or is ready for there being none."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.Try):
            return True
        if isinstance(parent, ast.If | ast.IfExp) and any(
            isinstance(part, ast.Call) and context.resolve(part.func) in _ASKS for part in ast.walk(parent.test)
        ):
            return True
    return False
