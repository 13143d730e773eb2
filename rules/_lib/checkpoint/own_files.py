"""What the program itself has saved in the files that it loads."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property

from xlaport.context import Context
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.stored import files_named
from xlaport.facts.structure import Class
from xlaport.facts.used_code import ACCELERATOR, words

from .. import host_only
from ..arguments import given
from . import loads, saves
from .contents import Contents, Spot, contents_of

_SAYS_SAVE = re.compile(rb"(torch|xm|xla_model|serialization)\.save\(")
_SPEAKING = re.compile(ACCELERATOR, re.IGNORECASE)
_OF_TARGET = ("data", "file_or_path", "master_only", "global_master")
_DICTS = ("builtins.dict", "collections.OrderedDict")
_MAX_FILES = 40
_MAX_OBJECTS = 20


@dataclass(frozen=True)
class Saved:
    """One save of the program, seen from the file that is looked at."""

    context: Context
    facts: Facts
    call: ast.Call
    value: ast.expr
    path: ast.expr

    @cached_property
    def files(self) -> frozenset[str]:
        """The files that it may write."""
        return files_named(self.context.flow.structure, self.facts, self.path)

    @cached_property
    def contents(self) -> Contents:
        """What it writes."""
        return contents_of(self.context, [(self.facts, self.value)])

    @cached_property
    def object(self) -> Spot | None:
        """What it writes that is no tensor, number, text, or plain collection of them: as the dict names it."""
        inside = [*self.contents.objects, *self.contents.modules]
        for facts, node in self._written if inside else []:
            for item in _items(facts, node).values():
                found = contents_of(self.context, [(facts, item)])
                if found.objects or found.modules:
                    return facts, item
        return next(iter([*inside, *self.contents.functions]), None)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of the one dict that it writes, some perhaps not each time; none where it is not seen to be one."""
        keys = [set(_items(facts, node)) for facts, node in self._written]
        return frozenset(set.intersection(*keys) | self._added) - {""} if keys and all(keys) else frozenset()

    @property
    def _added(self) -> set[str]:
        """The keys that the dict gets by its name: ``state["amp"] = …``."""
        names = self.facts.names
        home = names.home(self.value) if isinstance(self.value, ast.Name) else None
        uses = names.uses(home, self.value.id) if home is not None and isinstance(self.value, ast.Name) else []
        parents = [self.facts.module.parents[use] for use in uses]
        return {_text(p.slice) for p in parents if isinstance(p, ast.Subscript) and isinstance(p.ctx, ast.Store)}

    @cached_property
    def _written(self) -> list[Spot]:
        """The expressions that make the value."""
        found = Origins(self.context.flow.structure).of(self.facts, self.value)
        return [(spot.facts, spot.node) for spot in found or []]


def saved(context: Context) -> list[Saved]:
    """All saves of the program to files and buffers, but for those of its tests."""
    return context.view.once("saves of the program", lambda: _saved(context))


def _saved(context: Context) -> list[Saved]:
    own, program = context.view.own, context.view.program
    files = [] if context.view.is_alone else sorted(program.saying(_SAYS_SAVE, b"save(") - {own.file})
    others = [context.view.facts(file) for file in files[:_MAX_FILES]]
    found: list[Saved] = []
    for facts in [own, *(facts for facts in others if facts is not None)]:
        there = context.of(facts)
        if host_only.is_test(there):
            continue
        for call in facts.module.calls:
            is_of_target = saves.is_target_save(there, call)
            passed = (given(call, _OF_TARGET) if is_of_target else saves.saved(there, call)) or {}
            value, path = (passed.get(name) for name in (_OF_TARGET[:2] if is_of_target else ("obj", "f")))
            if value is not None and path is not None:
                found.append(Saved(context, facts, call, value, path))
    return found


def of_file(context: Context, load: ast.Call) -> list[Saved]:
    """The saves that write the file which a call loads; none unless each file that it may load is the program's own."""
    path = load.args[0] if load.args else next((k.value for k in load.keywords if k.arg == "f"), None)
    every = saved(context) if path is not None else []
    if path is None or not every:
        return []
    wanted = files_named(context.flow.structure, context.view.own, path)
    found = [one for one in every if one.files & wanted]
    return found if wanted <= frozenset(key for one in found for key in one.files) else []


def like_file(context: Context, load: ast.Call) -> list[Saved]:
    """The saves of dicts with all keys that the program reads of what a call loads: those of its own file, if any."""
    keys = loads.keys_read(context, load)
    found = [one for one in saved(context) if keys <= one.keys] if keys else []
    return [one for one in found if one.facts is context.view.own] or found


def are_of_host(found: list[Saved]) -> bool:
    """Whether some saves are seen to write nothing that was ever on a device."""
    return bool(found) and all(_is_of_host(one.context, one.contents, set()) for one in found)


def _is_of_host(context: Context, inside: Contents, seen: set[Class]) -> bool:
    if inside.device or inside.modules or inside.parameters or inside.generators or inside.passed:
        return False
    structure = context.flow.structure
    made = [structure.class_named(f, n.func) if isinstance(n, ast.Call) else None for f, n in inside.unknown]
    return all(owner is not None and _holds_host(context, owner, seen) for owner in made)


def _holds_host(context: Context, owner: Class, seen: set[Class]) -> bool:
    """Whether an object's class speaks of no device, and all that it assigns to its attributes is of the host."""
    if owner in seen:
        return True
    seen.add(owner)
    structure = context.flow.structure
    owners = structure.bases(owner)
    if len(seen) > _MAX_OBJECTS or any(_SPEAKING.search(w) for o in owners for n in ast.walk(o.node) for w in words(n)):
        return False
    values = [pair for name in structure.attributes_of(owners) for pair in structure.assigned(owners, name)]
    spots = [(facts, value) for facts, value in values if value is not None]
    return len(spots) == len(values) and _is_of_host(context, contents_of(context, spots), seen)


def _items(facts: Facts, node: ast.expr) -> dict[str, ast.expr]:
    """The items of ``{"net": net}`` and of ``dict(net=net)``, by their keys."""
    if isinstance(node, ast.Dict):
        return {_text(key): value for key, value in zip(node.keys, node.values, strict=True)}
    if isinstance(node, ast.Call) and not node.args and facts.names.resolve(node.func) in _DICTS:
        return {keyword.arg or "": keyword.value for keyword in node.keywords}
    return {}


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
