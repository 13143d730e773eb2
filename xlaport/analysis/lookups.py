"""What is looked up by a text: ``getattr(torch, name)``, ``globals()[name]``, ``import_module("torch.optim")``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from xlaport.analysis.attributes import Attributes, by_text
from xlaport.analysis.definitions import Class, File, MethodCaller, Options
from xlaport.analysis.places import GROUPING, LITERALS, in_display
from xlaport.analysis.value import PENDING, UNKNOWN, Certainty, Value, each_alternative, join, joined
from xlaport.facts.options import PARSING

_DICT = ".__dict__"


class Lookups:
    """Answers for one frame."""

    def __init__(self, attributes: Attributes) -> None:
        self.attributes = attributes
        self.frame = attributes.frame

    def called(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value | None:
        """What a function gives that looks something up, or does so later; None of other functions."""
        first = arguments[0] if arguments else UNKNOWN
        if name == "builtins.getattr" and len(arguments) > 1:
            found = self._attribute(first, arguments[1], node)
            return join(found, arguments[2]) if len(arguments) > 2 else found
        if name == "builtins.globals":
            return Value(refers=File(self.frame.function.module))
        if name == "builtins.vars" and arguments:
            is_module = isinstance(first.refers, str) and first.type is None
            is_dict = first.keys or isinstance(first.refers, Options)
            return Value(refers=f"{first.refers}{_DICT}") if is_module else first if is_dict else None
        if name == "importlib.import_module" and isinstance(first.constant, str):
            return by_text(self.attributes.imported(self.frame.function.file, first.constant, node))
        if name == "operator.methodcaller" and isinstance(first.constant, str):
            caller = MethodCaller(first.constant, tuple(arguments[1:]), tuple(keywords.items()))
            return Value(refers=caller, objects=self.frame.site(node))
        return Value(refers=Options(self.frame.function.file)) if name == "argparse.ArgumentParser" else None

    def item(self, base: Value, key: Value, node: ast.Subscript) -> Value | None:
        """What a module holds under a text: ``globals()["Net"]``, ``vars(torch.optim)[name]``; None of all else."""
        if isinstance(base.refers, File | Class | Options):  # of a class: an Enum
            return self._attribute(base, key, node)
        if isinstance(base.refers, str) and base.refers in LITERALS:
            return UNKNOWN.or_at(in_display(key))
        if isinstance(base.refers, str) and base.type is None and base.refers.endswith(_DICT):
            return self._attribute(Value(refers=base.refers.removesuffix(_DICT)), key, node)
        return None

    def of_options(self, base: Value, name: str, node: ast.Call, arguments: Sequence[Value]) -> Value | None:
        """What a method gives of options, of what parses them, and of the dict of them, ``vars(args)``."""
        if name in ("get", "pop") and arguments:
            return self._attribute(base, arguments[0], node)
        both = Value(elements=(base, UNKNOWN))
        return both if name == "parse_known_args" else base if name in PARSING | GROUPING else None

    def _attribute(self, base: Value, key: Value, node: ast.expr) -> Value:
        names = [one.constant for one in each_alternative(key)]
        if base is PENDING or key is PENDING:
            return PENDING
        each_one = (self.attributes.attribute(base, name, node) for name in names if isinstance(name, str))
        found = joined(map(by_text, each_one)) if all(isinstance(name, str) for name in names) else None
        if found is None and base.refers == "torch.optim":  # one of them, whichever it is
            return by_text(Value(refers="torch.optim.Optimizer", certainty=Certainty.ASSUMED))
        return UNKNOWN if found is None else assumed(found, key)


def assumed(found: Value, key: Value) -> Value:
    """What stands under a key, as sure as that is."""
    is_known = not found.is_unknown and found is not PENDING and key.certainty is Certainty.ASSUMED
    return found._replace(certainty=Certainty.ASSUMED) if is_known else found


def unsure(found: Value) -> Value:
    """What one of the things is that a table has, nobody knows which: something of a library's is not sure to be it."""
    is_named = isinstance(found.refers, str) and found.type is None
    return found._replace(certainty=Certainty.ASSUMED) if is_named else found
