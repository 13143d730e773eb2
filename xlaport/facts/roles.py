"""Roles: what a value stands for (model, optimizer, loader, tensor, device …), with the evidence.

They are what `xlaport.analysis` knows of an expression, in the words of `xlaport.facts.role`. An unknown is None.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from xlaport.analysis.attributes import BY_TEXT
from xlaport.analysis.certain import is_detached
from xlaport.analysis.containers import under
from xlaport.analysis.definitions import MethodCaller, OfLibrary
from xlaport.analysis.events import Given
from xlaport.analysis.library import BY_ACCELERATE, fact_of, role_of
from xlaport.analysis.of_file import analysis_of, values_of
from xlaport.analysis.value import UNKNOWN, Bound, Certainty, Partial, each_alternative
from xlaport.facts.classes import Classes
from xlaport.facts.module import FunctionNode, dotted
from xlaport.facts.program import Facts
from xlaport.facts.role import TENSORS, Fact, Role
from xlaport.facts.structure import CallSite, Class, Function, structure_of

__all__ = ["TENSORS", "Fact", "Role", "Roles", "dotted", "roles_of"]


def roles_of(facts: Facts) -> Roles:
    """The roles of a file, as it sees its project."""
    return facts.once("roles", lambda: Roles(facts))


class Roles:
    """The roles of one file's expressions. See `roles_of`."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.structure = structure_of(facts.view)
        self._values = values_of(facts)
        self._analysis = analysis_of(facts)
        self._losses = self._analysis.losses

    def of(self, node: ast.expr) -> Fact | None:
        """The role of an expression's value."""
        value = self._values.get(node)
        return fact_of(value, node) if value is not None else None

    def role(self, node: ast.expr) -> Role | None:
        """The role alone."""
        fact = self.of(node)
        return fact.role if fact else None

    def is_(self, node: ast.expr, *roles: Role) -> bool:
        """Whether the expression is known to have one of the roles."""
        return self.role(node) in roles

    def is_loss(self, node: ast.expr) -> bool:
        """Whether backward() is called on a value, or on what it is added up to."""
        return node in self._losses

    def compares_tensors(self, call: ast.Call) -> bool:
        """Whether ``max(row, key=f)`` and the like compare tensors of the device."""
        compared = self._analysis.compared.get(call)
        return compared is not None and role_of(compared) is Role.TENSOR

    def handed(self, call: ast.Call) -> Mapping[str, Given]:
        """The functions of libraries that a call runs without calling them in words, each with what it gets."""
        return self._analysis.handed.get(call, {})

    def is_unknown_call(self, call: ast.Call) -> bool:
        """Whether nothing is known of what a call runs: no function of the program or of a library, and no method."""
        func = call.func
        if self.facts.names.resolve(func) is not None or self.structure.runs(self.facts, call):
            return False
        held = self._values.get(func.value, UNKNOWN) if isinstance(func, ast.Attribute) else UNKNOWN
        return self._values.get(func) == UNKNOWN and held == UNKNOWN

    def kept_method(self, node: ast.expr) -> str | None:
        """The method of a tensor on the device that a value stands for: ``read`` after ``read = loss.item``."""
        return self.method_kept(node, Role.TENSOR)

    def method_called(self, node: ast.expr) -> str | None:
        """The method that a value calls of what it gets: ``cuda`` of ``operator.methodcaller("cuda")``."""
        refers = self._values.get(node, UNKNOWN).refers
        return refers.name if isinstance(refers, MethodCaller) else None

    def is_kept_step(self, node: ast.expr) -> bool:
        """Whether a value is the step of an optimizer: ``update`` after ``update = optimizer.step``."""
        return self.method_kept(node, Role.OPTIMIZER) == "step"

    def is_kept_state(self, node: ast.expr) -> bool:
        """Whether a value is what gives a model's state: ``make`` after ``make = model.state_dict``."""
        return self.method_kept(node, Role.MODEL) == "state_dict"

    def method_kept(self, node: ast.expr, *roles: Role) -> str | None:
        """The method of something of one of some roles that a value stands for."""
        refers = self._values.get(node, UNKNOWN).refers
        if isinstance(refers, Bound) and isinstance(refers.definition, OfLibrary):
            return refers.definition.name if role_of(refers.receiver) in roles else None
        return None

    def library_name(self, node: ast.expr) -> str | None:
        """The qualified name of what of a library's a value always stands for: of ``self.loss_function``, too."""
        found = self._values.get(node, UNKNOWN)
        if isinstance(found.refers, Partial):
            return None
        return self.looked_up(node) if found.because != BY_TEXT and found.certainty is Certainty.PROVEN else None

    def looked_up(self, node: ast.expr) -> str | None:
        """The same, also of what is looked up by a text, or by an option that nobody gives, and of partials."""
        found = self._values.get(node, UNKNOWN)
        found = found.refers.function if isinstance(found.refers, Partial) else found
        return found.refers if isinstance(found.refers, str) and found.type is None else None

    def given_before(self, node: ast.expr) -> Mapping[str | None, object]:
        """The numbers and texts that a partial has got already, by the names of their arguments; None: not known."""
        refers = self._values.get(node, UNKNOWN).refers
        return {name: given.constant for name, given in refers.keywords} if isinstance(refers, Partial) else {}

    def may_be(self, node: ast.expr) -> tuple[str, ...]:
        """The qualified names of what of libraries a value may stand for that may stand for several things."""
        found = [one.refers for one in self._values.get(node, UNKNOWN).alternatives if one.type is None]
        return tuple(name for name in found if isinstance(name, str))

    def by_text(self, node: ast.expr) -> tuple[str, ...]:
        """The qualified names of what of libraries a value may stand for that it looks up by a text."""
        found = each_alternative(self._values.get(node, UNKNOWN))
        return tuple(v.refers for v in found if v.because == BY_TEXT and isinstance(v.refers, str))

    def texts(self, node: ast.expr, key: str | None = None) -> tuple[str, ...]:
        """The texts one of which a value always is; of a dict, what stands under a key of it."""
        found = self._values.get(node, UNKNOWN)
        found = found if key is None else under(found, key) or UNKNOWN
        texts = [one.constant for one in each_alternative(found)]
        return tuple(text for text in texts if isinstance(text, str)) if None not in texts else ()

    def is_wide(self, node: ast.expr) -> bool:
        """Whether a value is an array or a tensor that is known to hold floats of 64 bits."""
        return self._values.get(node, UNKNOWN).wide

    def is_detached(self, node: ast.expr) -> bool:
        """Whether no gradient can come to what a value was made of."""
        return is_detached(self._values.get(node, UNKNOWN))

    def is_prepared(self, node: ast.expr) -> bool:
        """Whether accelerate has prepared it; of what else is not known: what a loop goes through is a loader, then."""
        return self._values.get(node, UNKNOWN).because == BY_ACCELERATE

    def is_of(self, node: ast.expr, kind: str) -> bool:
        """Whether it is known to be of one of the types of `xlaport.analysis.value`."""
        return self._values.get(node, UNKNOWN).type == kind

    # What rules ask of the structure of the code; see `Structure`.

    @property
    def classes(self) -> Classes:
        """What the classes of this file hold."""
        return self.structure.classes(self.facts)

    def is_module_class(self, node: ast.ClassDef) -> bool:
        """Whether a class derives from ``torch.nn.Module``, directly or through other classes of the project."""
        return self.structure.is_module(Class(self.facts, node))

    def instance_class(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of this file that an expression is an instance of: ``self``, or ``x = Trainer(…)``."""
        return self.classes.instance_class(node)

    def calls_to(self, function: FunctionNode) -> list[ast.Call]:
        """The calls in this file that run a function."""
        sites = self.structure.calls_to(Function(self.facts, function))
        return [site.node for site in sites if site.facts is self.facts]

    def argument_for(self, call: ast.Call, function: FunctionNode, parameter: str) -> ast.expr | None:
        """The expression that a call passes for a parameter; its default where it passes none; None if unsure."""
        return self.structure.given(CallSite(self.facts, call), Function(self.facts, function), parameter)[1]

    def method_or_function(self, call: ast.Call) -> FunctionNode | None:
        """The function, method or ``__init__`` of this file that a call runs."""
        function = self.structure.run_by(self.facts, call)
        return function.node if function is not None and function.facts is self.facts else None

    def function_called(self, call: ast.Call) -> FunctionNode | None:
        """The same, without what makes an object."""
        return None if self.structure.classes_named(self.facts, call.func) else self.method_or_function(call)
