"""What attributes stand for: of instances, classes, modules of the program, tensors; and what is imported."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection

from xlaport.analysis import library
from xlaport.analysis import value as types
from xlaport.analysis.applying import TAKING, Applying
from xlaport.analysis.arrays import GENERATOR
from xlaport.analysis.containers import of_constant, under
from xlaport.analysis.definitions import (
    Applied,
    Class,
    File,
    Function,
    Going,
    Imported,
    OfLibrary,
    Options,
    Super,
    parameters,
    variable_of,
)
from xlaport.analysis.methods import OF_MODULES
from xlaport.analysis.options import option
from xlaport.analysis.places import Places, setting, so_far
from xlaport.analysis.tensors import device_of_tensor
from xlaport.analysis.value import PENDING, UNKNOWN, Bound, Certainty, Device, Value, joined, keyed
from xlaport.facts import vocabulary
from xlaport.facts.held import ONE_INTEGER, Held, Kind
from xlaport.facts.role import A_PARAMETER

A_NUMBER = Value(types.NUMBER, because="a number")
SIZE = Value(types.NUMBER, holds=ONE_INTEGER, because="a size")

_MOST_HEIRS = 8
"""Of a class with more of them, nobody knows which one it is."""


MAKING = "builtins.object.__new__"
BY_TEXT = "looked up by a text"
"""The evidence of what stands nowhere by its name."""


class Attributes:
    """Answers for one frame."""

    def __init__(self, applying: Applying) -> None:
        self.applying = applying
        self.frame = applying.frame
        self.around = applying.frame.around

    def attribute(self, base: Value, name: str, node: ast.AST) -> Value:
        """An attribute of a value."""
        if base is PENDING:
            return PENDING
        if base.alternatives:
            each_one = [(_lacks(value, name), self.attribute(value, name, node)) for value in base.alternatives]
            having = [found for lacks, found in each_one if not lacks]  # the others, the program does not ask for it
            return joined(having or [found for _, found in each_one]) or UNKNOWN
        refers = base.refers
        if isinstance(refers, str) and base.type is None:
            found = self.imported(self.frame.function.file, f"{refers}.{name}", node)
            return by_text(found) if base.because == BY_TEXT else found
        if isinstance(refers, File):
            found = self.led(self.frame.attribute_of(refers, name), node)
            file = refers.body.file
            return self.frame.told(found, file, f"{name} of {os.path.basename(file)}:", getattr(node, "lineno", 1))
        if isinstance(refers, Super):
            method = refers.method(name)
            made = Value(refers=MAKING) if name == "__new__" else UNKNOWN
            return Value(refers=Bound(method, refers.receiver)) if method is not None else made
        if isinstance(refers, Options):
            return option(self.frame, refers, name).or_at(setting(self.frame, base, node, name))
        if isinstance(refers, Going):
            return Value(refers=Bound(OfLibrary(name), base))
        if isinstance(refers, Function):
            return self.frame.read(variable_of(refers, name))
        if isinstance(base.type, Class) and name == "__class__":
            return Value(refers=base.type)
        if isinstance(base.type, Class):
            found, file = self._of_instance(base, base.type, name, node), base.type.file
            found = found.or_at(self._set_by_heirs(base, base.type, name))
            return self.frame.told(found, file, f"set in {os.path.basename(file)}:", getattr(node, "lineno", 1))
        if isinstance(refers, Class):
            return self._of_class(refers, name)
        if (field := under(base, name)) is not None:  # of a namespace
            return field
        if base.type == types.TEXT and name == "value":  # of a member of an Enum
            return base
        if base.type == types.DEVICE and name == "type":
            return Value(types.TEXT, because="a device's .type", places=base.places)
        if base.type == types.TENSOR:
            return _of_tensor(base, name)
        if base.type == types.PACKED and name in ("data", "batch_sizes", "sorted_indices", "unsorted_indices"):
            return library.part_of_packed(base, name)
        if base.type == types.MODULE:
            if name == "module":
                return base
            if name in vocabulary.LAYER_PARAMETERS:
                own = Value(types.TENSOR, Device.ACCELERATOR, certainty=Certainty.ASSUMED, because=A_PARAMETER)
                return own._replace(objects=base.objects, line=getattr(node, "lineno", 0))
            is_size = name in vocabulary.LAYER_SIZES
            return Value(types.NUMBER, because=f"a layer's .{name}") if is_size else _of_library(base, name)
        if base.type == types.OBJECT and name in TAKING:
            return Value(refers=Bound(OfLibrary(name), base))
        if base.type in (types.OPTIMIZER, types.CUTTING_OPTIMIZER, GENERATOR):
            return _of_library(base, name)
        found = Value(element=SIZE) if name == "shape" and base.is_unknown else UNKNOWN
        return found.or_at(setting(self.frame, base, node.value if isinstance(node, ast.Attribute) else node, name))

    def bind_import(self, name: str, qualified: str, node: ast.AST) -> None:
        """Bind a name to what is imported; in a file that is not run as a whole, it is looked into later."""
        file = self.frame.function.file
        is_whole = file in self.around.whole
        later = Value(refers=Imported(file, qualified))
        self.frame.bind(name, self.imported(file, qualified, node) if is_whole else later)

    def led(self, value: Value, node: ast.AST) -> Value:
        """A value; of an import that has not been looked into yet, where that leads."""
        refers = value.refers
        return self.imported(refers.file, refers.qualified, node) if isinstance(refers, Imported) else value

    def imported(self, file: str, qualified: str, node: ast.AST) -> Value:
        """What a name stands for that a file imports."""
        found = self.around.leads(file, qualified)
        if isinstance(found, str):
            return A_NUMBER if found in vocabulary.NUMBERS else Value(refers=found)
        value = Value(refers=found[0])
        for name in found[1]:
            value = self.attribute(value, name, node)
        return value

    def _of_instance(self, base: Value, kind: Class, name: str, node: ast.AST) -> Value:
        method = kind.method(name)
        method = self.around.now(method) if method is not None else None
        cells = kind.cells(name)
        if cells or method is None:
            if name in vocabulary.LAYER_SIZES and library.is_module(base):
                stored = joined(self.frame.read(cell) for cell in cells)
                return stored if stored is not None and not stored.is_unknown else A_NUMBER
            if any(cell.value is not None for cell in cells):
                return joined(self.frame.read(cell) for cell in cells if cell.value is not None) or UNKNOWN
            if method is None and library.is_module(base) and (name == "module" or name in OF_MODULES):
                return base if name == "module" else _of_library(base, name)  # what wraps it is taken for it
            if method is None and name == "__dict__":
                return keyed(
                    Value(types.OBJECT), {each: self.frame.read(kind.attributes[each]) for each in kind.attributes}
                )
            if method is None and (asked := kind.method("__getattr__")) is not None:
                return self._asked_for(base, self.around.now(asked), name, node)
            own = [(heir, heir.methods[name]) for heir in kind.heirs if name in heir.methods] if method is None else []
            if own and len(kind.heirs) <= _MOST_HEIRS:  # what a base class calls, and each of these defines
                return joined([Value(refers=Bound(self.around.now(m), Value(heir))) for heir, m in own]) or UNKNOWN
            if method is None:
                is_of_few = not library.is_module(base) and len(kind.heirs) <= _MOST_HEIRS
                heirs = kind.heirs if is_of_few else ()  # what it uses, each of these may set
                return joined([self.frame.read(each.attribute(name)) for each in (*kind.line(), *heirs)]) or PENDING
        bound = Value(refers=Bound(method, base))
        if method.decorators & {"property", "cached_property"}:
            is_asked_for = isinstance(node, ast.Call)  # ``getattr(x, "loss")``, whose arguments are not the property's
            return self.applying.apply(method, [base], {}, None if is_asked_for else node, node)
        return bound

    def _set_by_heirs(self, base: Value, kind: Class, name: str) -> Places:
        """The names of devices that classes set which derive from the one of which this is a method's own object."""
        is_own = base.because == "self" and 0 < len(kind.heirs) <= _MOST_HEIRS and kind.method(name) is None
        return so_far(self.frame, [heir.attribute(name) for heir in kind.heirs]) if is_own else Places()

    def _asked_for(self, base: Value, method: Function, name: str, node: ast.AST) -> Value:
        """What ``__getattr__()`` gives for a name."""
        arguments = getattr(method.node, "args", None)
        given = [parameter.arg for parameter in parameters(arguments)] if arguments is not None else []
        self.around.graph.note_going_on(self.frame.function, node, method)
        found = self.around.apart(method, dict(zip(given, (base, of_constant(name)), strict=False)), name)
        return (found.result.value if found is not None else None) or UNKNOWN

    def _of_class(self, kind: Class, name: str) -> Value:
        method = kind.method(name)
        if method is None and name == "apply" and is_of_autograd(kind):
            forward = kind.method("forward")
            has_context = kind.method("setup_context") is None
            return Value(refers=Applied(forward, has_context)) if forward is not None else UNKNOWN
        if method is not None:
            if "classmethod" in method.decorators:
                return Value(refers=Bound(method, Value(refers=kind)))
            return Value(refers=method)
        cells = kind.cells(name)
        return joined(self.frame.read(cell) for cell in cells) or (PENDING if cells else UNKNOWN)


def by_text(value: Value) -> Value:
    """A value that is looked up by a text; of the program's own, that is not told."""
    is_of_library = isinstance(value.refers, str) and value.type is None
    return value._replace(because=BY_TEXT) if is_of_library else value


def _lacks(value: Value, name: str) -> bool:
    """Whether an object of a class of the program has no such attribute, as far as anybody has set one."""
    kind = value.type
    if not isinstance(kind, Class) or kind.method(name) is not None or kind.method("__getattr__") is not None:
        return False
    is_set = any(name in each.attributes and each.attributes[name].value is not None for each in kind.line())
    return not is_set and all(base == "builtins.object" for base in kind.of_libraries())


def is_of_autograd(kind: Class) -> bool:
    """Whether a class is a function with a backward pass of its own."""
    return not vocabulary.AUTOGRAD_FUNCTIONS.isdisjoint(kind.of_libraries())


def _of_library(base: Value, name: str) -> Value:
    """A method that moves a module, steps an optimizer or reads a tensor, as something that may be kept."""
    kept: Collection[str] = {*vocabulary.MOVING_METHODS, "state_dict"}
    if base.type in (types.OPTIMIZER, types.CUTTING_OPTIMIZER):
        kept = ("step",)
    elif base.type == GENERATOR:
        kept = (name,)
    elif base.type == types.TENSOR:
        kept = {*kept, *vocabulary.HOST_READ_METHODS}
    is_kept = name in kept
    return Value(refers=Bound(OfLibrary(name), base)) if is_kept else UNKNOWN


def _of_tensor(base: Value, name: str) -> Value:
    if name == "shape":
        return Value(types.OBJECT, element=SIZE, because="a tensor's .shape")
    if name == "device":
        return Value(types.DEVICE, device_of_tensor(base), because=f"a tensor's .{name}")
    if name in vocabulary.HOST_ATTRIBUTES:
        return Value(types.OBJECT, because=f"a tensor's .{name}")
    if name in ("data", "grad"):
        return base._replace(detached=True)
    if name in ("values", "indices") and base.elements is not None and len(base.elements) == 2:  # of ``x.topk(4)``
        return base.elements[name == "indices"]
    kind = Kind.FLOAT if base.holds.kind is Kind.COMPLEX and name in ("real", "imag") else base.holds.kind
    return base._replace(holds=Held(kind)) if name in vocabulary.VIEW_METHODS else _of_library(base, name)
