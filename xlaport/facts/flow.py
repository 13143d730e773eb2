"""Where a value goes: from an expression through names, attributes, parameters and options to its uses.

The way leads through all files of the project. A value that is put into an object (a dict, parsed options, an
instance) is followed with the object: the path says which item or attribute of the object it is.
"""

from __future__ import annotations

import ast

from xlaport.analysis.value import Site
from xlaport.facts.handing import DEFAULTING, SAME_METHODS, SPLITTING, Handing
from xlaport.facts.names import Scope
from xlaport.facts.options import offering, option_name
from xlaport.facts.program import Facts, View
from xlaport.facts.reach import Path, Reach, constant, is_text
from xlaport.facts.roles import dotted
from xlaport.facts.sinks import Sink, SinkKind, sink_at, taken_texts
from xlaport.facts.spot import Spot
from xlaport.facts.structure import Class, Function, Structure, structure_of
from xlaport.facts.texts import declared, texts

__all__ = ["SPLITTING", "Flow", "Reach", "Sink", "SinkKind", "Spot", "option_name"]

_MAX_PATH = 4
_MAX_STEPS = 4000
_SPAWNING = {"torch.multiprocessing.spawn": 1, "torch.multiprocessing.Process": 0, "multiprocessing.Process": 0,
             "threading.Thread": 0}  # fmt: skip
"""Functions that run another one with the arguments in a tuple: how many come before them."""


class Flow:
    """Follows values forward, from one file of a view into the others."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.structure = structure_of(view)
        self._reached: dict[tuple[Facts, ast.expr], Reach] = {}

    def reach(self, start: ast.expr, facts: Facts | None = None) -> Reach:
        """What a value reaches; it is in the file that is looked at, unless said otherwise."""
        key = facts or self.view.own, start
        if key not in self._reached:
            walk = _Walk(self.view, self.structure)
            walk.follow(*key, ())
            self._reached[key] = walk.found
        return self._reached[key]

    def taker(self, text: ast.expr) -> Sink | None:
        """What takes a text of the file that is looked at for a device, by whatever way it gets there."""
        own = self.view.own
        site = Site.of(own.file, text)
        taken = (taken_texts(self.structure, facts).get(site) for facts in self.structure.analysis(own).files())
        return next((sink for sink in taken if sink is not None), None)

    def sink(self, value: ast.expr) -> Sink | None:
        """The sink that an expression stands in directly."""
        return sink_at(self.structure, self.view.own, value)


class _Walk(Handing):
    """One walk from a value to everything that it reaches."""

    def __init__(self, view: View, structure: Structure) -> None:
        super().__init__(view, structure)
        self._seen: set[object] = set()

    def follow(self, facts: Facts, node: ast.expr, path: Path) -> None:
        """Go on from an expression that holds the value, at a path inside of it."""
        if (node, path) in self._seen or len(path) > _MAX_PATH or len(self._seen) > _MAX_STEPS:
            return
        self._seen.add((node, path))
        item = path[0][1] if len(path) == 1 and path[0][0] == "item" else None
        sink = sink_at(self.structure, facts, node, item) if not path or item is not None else None
        if sink is not None:
            self.found.sinks.append(sink)
            return
        parent = facts.module.parents[node]
        if isinstance(parent, ast.IfExp):
            if node is not parent.test:
                self.follow(facts, parent, path)
        elif isinstance(parent, ast.BoolOp | ast.Await):
            self.follow(facts, parent, path)
        elif isinstance(parent, ast.Assign | ast.AnnAssign):
            for target in parent.targets if isinstance(parent, ast.Assign) else [parent.target]:
                self._target(facts, target, node, path)
        elif isinstance(parent, ast.NamedExpr):
            self._target(facts, parent.target, node, path)
            self.follow(facts, parent, path)
        elif isinstance(parent, ast.Tuple | ast.List | ast.Set) and (option := offering(facts.module, parent)):
            self._option(facts, option, option_name(option))
        elif isinstance(parent, ast.Tuple):
            self._element(facts, parent, node, path)
        elif isinstance(parent, ast.Dict):
            self._item(facts, parent, node, path)
        elif isinstance(parent, ast.Subscript):
            if parent.value is node and path and _index(parent.slice) == path[0][1]:
                self.follow(facts, parent, path[1:])
            else:
                self._lose(facts, node)
        elif isinstance(parent, ast.Compare):
            if not path:
                self._compared(facts, parent, node)
        elif isinstance(parent, ast.Attribute):
            self._attribute_of(facts, parent, path)
        elif isinstance(parent, ast.arguments):
            self._default(facts, parent, node, path)
        elif isinstance(parent, ast.keyword):
            self._keyword(facts, parent, node, path)
        elif isinstance(parent, ast.Call):
            self._argument(facts, parent, node, path)
        elif isinstance(parent, ast.Return):
            self._returned(facts, parent, path)
        elif isinstance(parent, ast.Match) and not path:
            cases = [n.value for c in parent.cases for n in ast.walk(c.pattern) if isinstance(n, ast.MatchValue)]
            self.found.comparisons += [Spot(facts, value) for value in cases if is_text(value)]
        elif not isinstance(parent, ast.FormattedValue | ast.Expr):
            self._lose(facts, node)

    # -- names and attributes --------------------------------------------------------------------------

    def _target(self, facts: Facts, target: ast.expr, value: ast.expr, path: Path) -> None:
        if isinstance(target, ast.Name):
            home = facts.names.home(target)
            if home is not None:
                self._name(facts, home, target.id, path)
        elif isinstance(target, ast.Attribute):
            self._attribute(facts, target, path)
        elif isinstance(target, ast.Tuple | ast.List) and path and path[0][0] == "element":
            if isinstance(value, ast.Call):
                self._lose(facts, value)  # what is in its other elements
            index = int(path[0][1])
            if index < len(target.elts) and not any(isinstance(e, ast.Starred) for e in target.elts[: index + 1]):
                self._target(facts, target.elts[index], value, path[1:])
        elif isinstance(target, ast.Subscript) and constant(target.slice) is not None:
            self._object(facts, target.value, (("item", constant(target.slice) or ""), *path))
            self._lose(facts, value)
        else:
            self._lose(facts, value)

    def _element(self, facts: Facts, pack: ast.Tuple, node: ast.expr, path: Path) -> None:
        """An element of a tuple that is unpacked, or that holds the arguments of a process."""
        outer = facts.module.parents[pack]
        position = pack.elts.index(node)
        if isinstance(outer, ast.Assign):
            for target in outer.targets:
                if isinstance(target, ast.Tuple | ast.List) and len(target.elts) == len(pack.elts):
                    self._target(facts, target.elts[position], node, path)
            return
        if isinstance(outer, ast.Return):
            self.follow(facts, pack, (("element", str(position)), *path))
            return
        call = facts.module.parents[outer] if isinstance(outer, ast.keyword) and outer.arg == "args" else None
        before = _SPAWNING.get(facts.names.resolve(call.func) or "") if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and before is not None:
            run = next(
                (k.value for k in call.keywords if k.arg in ("target", "fn")), call.args[0] if call.args else None
            )
            function = self.structure.function_named(facts, run) if run is not None else None
            if function is not None:
                names = [arg.arg for arg in [*function.node.args.posonlyargs, *function.node.args.args]]
                position += before + self.structure.is_bound(function)
                if position < len(names):
                    self._parameter(function, names[position], path)
                return
        self._lose(facts, node)

    def _name(self, facts: Facts, home: Scope, name: str, path: Path) -> None:
        if (home, name, path) in self._seen:
            return
        self._seen.add((home, name, path))
        if not path:
            self.found.lists += declared(self.structure, facts, home, name)
        for use in facts.names.uses(home, name):
            self.follow(facts, use, path)
        if home.parent is None:
            self.found.everywhere = self.found.everywhere or self.structure.is_everywhere(facts, name)
            for other, node in self.structure.references(facts, name):
                self.follow(other, node, path)
        # A class attribute is read as self.name or Class.name.
        if isinstance(home.node, ast.ClassDef):
            self._attribute_loads(Class(facts, home.node), name, path)

    def _attribute(self, facts: Facts, target: ast.Attribute, path: Path) -> None:
        owner = self.structure.instance_of(facts, target.value) or self.structure.class_named(facts, target.value)
        if owner is not None:
            self._attribute_loads(owner, target.attr, path)
            return
        place = self.structure.place(facts, target)
        other = self.view.facts(place.file) if place is not None and not place.rest else None
        if place is not None and other is not None:  # config.DEVICE = …
            self._name(other, other.names.root, place.name or "", path)
            return
        spelled = dotted(target)
        for node in facts.loads.get(target.attr, []):
            if spelled is not None and dotted(node) == spelled:
                self.follow(facts, node, path)
        self._object(facts, target.value, (("attr", target.attr), *path))

    def _attribute_loads(self, owner: Class, name: str, path: Path) -> None:
        if (owner, name, path) in self._seen:
            return
        self._seen.add((owner, name, path))
        scope = owner.facts.names.scope_of(owner.node)
        if scope is not None and not path:
            self.found.lists += declared(self.structure, owner.facts, scope, name)
        for facts in self.structure.files_with(owner, name):
            for node in facts.loads.get(name, []):
                held = self.structure.instance_of(facts, node.value) or self.structure.class_named(facts, node.value)
                if held is not None and self.structure.is_related(held, owner):
                    self.follow(facts, node, path)
        # Where an instance goes whose class is not known there.
        for site in self.structure.made(owner):
            self.follow(site.facts, site.node, (("attr", name), *path))

    def _object(self, facts: Facts, base: ast.expr, path: Path) -> None:
        """Something was stored in an object: go on wherever the object goes."""
        if len(path) > _MAX_PATH:
            return
        if isinstance(base, ast.Attribute):
            owner = self.structure.instance_of(facts, base.value)
            if owner is not None:
                self._attribute_loads(owner, base.attr, path)
            else:
                self._object(facts, base.value, (("attr", base.attr), *path))
            return
        home = facts.names.home(base) if isinstance(base, ast.Name) else None
        if not isinstance(base, ast.Name) or home is None or (home, base.id, path) in self._seen:
            return
        self._name(facts, home, base.id, path)
        place = self.structure.place(facts, base)
        other = self.view.facts(place.file) if place is not None and not place.rest else None
        if place is not None and other is not None:
            self._name(other, other.names.root, place.name or "", path)
        for binding in facts.names.bindings(base):
            function = facts.module.function_of(binding.node)
            if function is not None:
                called = Function(facts, function)
                for site in self.structure.calls_to(called):
                    given = self.structure.argument_for(site, called, base.id)
                    if given is not None:
                        self._object(site.facts, given, path)

    def _attribute_of(self, facts: Facts, parent: ast.Attribute, path: Path) -> None:
        """``v.attribute`` and ``v.method(…)``."""
        call = facts.module.parents[parent]
        called = call if isinstance(call, ast.Call) and call.func is parent else None
        if path:
            if called is None:
                if path[0] == ("attr", parent.attr):
                    self.follow(facts, parent, path[1:])
                elif parent.attr == "__dict__":
                    self.follow(facts, parent, (("item", path[0][1]), *path[1:]))
            elif parent.attr in DEFAULTING and called.args and constant(called.args[0]) == path[0][1]:
                self.follow(facts, called, path[1:])
            elif parent.attr in SAME_METHODS:
                self.follow(facts, called, path)
            return
        if called is None:
            return
        if parent.attr in ("startswith", "find", "count", *SPLITTING):
            for argument in called.args:
                self.found.comparisons += texts(self.structure, facts, argument)
        if parent.attr in SAME_METHODS:
            self.follow(facts, called, path)
            return
        if parent.attr in SPLITTING:  # the first part is the kind of the device
            self.follow(facts, called, (("element", "0"),))
            return
        part: ast.expr = called
        while isinstance(outer := facts.module.parents[part], ast.Subscript | ast.Attribute | ast.Call):
            if isinstance(outer, ast.Call) and outer.func is not part:
                return
            part = outer
        if isinstance(outer, ast.Compare):
            self._compared(facts, outer, part)

    def _compared(self, facts: Facts, parent: ast.Compare, node: ast.expr) -> None:
        for other in [parent.left, *parent.comparators]:
            if other is not node:
                self.found.comparisons += texts(self.structure, facts, other)

    def _item(self, facts: Facts, display: ast.Dict, node: ast.expr, path: Path) -> None:
        """A value of a dict display, or a dict that is unpacked into another one."""
        position = next((i for i, value in enumerate(display.values) if value is node), None)
        if position is None:
            self._lose(facts, node)
            return
        key = display.keys[position]
        if key is None:
            self.follow(facts, display, path)
            return
        name = constant(key)
        if name is not None:
            self.follow(facts, display, (("item", name), *path))
        if not path:
            self._lose(facts, node)


def _index(node: ast.expr) -> str | None:
    """The key or the position that a subscript spells out."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return str(node.value)
    return constant(node)
