"""Parameters that modules share as their class has it: for all of them, or each where no file is seen to move it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.definitions import Class
from xlaport.analysis.events import Kind
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.value import UNKNOWN
from xlaport.context import Context
from xlaport.facts import structure
from xlaport.facts.role import A_PARAMETER, MADE_PARAMETER
from xlaport.facts.roles import dotted
from xlaport.facts.scopes import all_parameters

from ..._lib.step.module_moves import module_moves
from ..._lib.step.owned_optimizers import is_module, is_run_when_made
from ..._lib.step.parameter_names import looks_like_tie
from .untied import Untied, all_tied, may_tie


def shared_by_all(context: Context) -> Iterator[tuple[ast.Assign, str, str, str]]:
    """The statements that give a layer the parameter that a class, or the file, keeps for all modules.

    With what it is kept as, the class of the modules, and the way from one to the parameter: ``values.weight``. None
    of those of a program that ties such parameters elsewhere, too.
    """
    analysis = analysis_of(context.view.own)
    for function in analysis.functions_in(context.view.own.file) if may_tie(analysis) else ():
        for event in function.events if function.owner is not None else ():
            statement = context.module.statement(event.node) if event.kind is Kind.TIE else None
            if not isinstance(statement, ast.Assign) or function.owner is None:
                continue
            way = (dotted(statement.targets[0]) or "").partition(".")[2]
            is_parameter = not event.other.isdisjoint(event.objects) or _is_seen(context, statement.value)
            is_shared = is_parameter and _is_kept(context, function.owner, statement.value)
            if is_shared and way and not _is_tied_again(context, function.owner, way):
                yield statement, ast.unparse(statement.value), function.owner.node.name, way


def _is_kept(context: Context, owner: Class, value: ast.expr) -> bool:
    """Whether a value is kept by a class itself, or as a global name of the file."""
    if isinstance(value, ast.Name):
        return context.names.home(value) is context.names.root
    if not isinstance(value, ast.Attribute):
        return False
    base = analysis_of(context.view.own).value_at(value.value) or UNKNOWN
    return isinstance(base.refers, Class) or any(value.attr in kind.scope.bound for kind in owner.line())


def _is_seen(context: Context, value: ast.expr) -> bool:
    """Whether a value is seen to be a parameter."""
    return (analysis_of(context.view.own).value_at(value) or UNKNOWN).because in (A_PARAMETER, MADE_PARAMETER)


def _is_tied_again(context: Context, owner: Class, way: str) -> bool:
    """Whether a statement outside of the class puts a parameter there: behind a move, as a rule."""
    last = way.rpartition(".")[2]
    facts = context.view.own if owner.file == context.view.own.file else None
    kind = structure.Class(facts, owner.node) if facts is not None else None
    return kind is not None and any(
        isinstance(node.ctx, ast.Store)
        and f".{dotted(node)}".endswith(f".{way}")
        and there.module.class_of(node) is not owner.node
        for there in context.flow.structure.files_with(kind, last)
        for node in there.module.attributes.get(last, [])
    )


def tied_out_of_sight(context: Context) -> Iterator[tuple[ast.Assign, str, Untied]]:
    """The ties of modules that no file is seen to move, with the class."""
    for statement in context.module.of_type(ast.Assign):
        owner = context.module.class_of(statement) if looks_like_tie(statement) else None
        function = context.module.function(statement)
        if owner is None or function is None or not is_module(context, owner):
            continue
        ends = [(dotted(end) or "").partition(".") for end in (statement.targets[0], statement.value)]
        me = function.args.args[0].arg if function.args.args else None
        is_own = all(first == me and rest for first, _, rest in ends)
        if is_own and is_run_when_made(context, owner, function) and not _is_in_sight(context, owner, statement):
            (_, _, target), (_, _, source) = ends
            if _is_parameter(context, statement, target, source):
                yield statement, owner.name, Untied(context.view.own, statement, f".{target}", f".{source}", False)


def _is_parameter(context: Context, statement: ast.Assign, target: str, source: str) -> bool:
    """Whether it ties parameters: of modules that are not seen, nobody makes anything else of a ``weight``."""
    is_unknown = (analysis_of(context.view.own).value_at(statement.value) or UNKNOWN).is_unknown
    of_others = "." in target and "." in source and target.endswith(".weight") and source.endswith(".weight")
    return _is_seen(context, statement.value) or (of_others and is_unknown)


def _is_in_sight(context: Context, owner: ast.ClassDef, statement: ast.stmt) -> bool:
    """Whether a move of such a module is seen, or its objects are made on the device or tie themselves again."""
    init = context.names.method(owner, "__init__")
    if init is None or any(arg.arg == "device" for arg in all_parameters(init.args)):
        return True
    kind = analysis_of(context.view.own).class_at(owner)
    if kind is None or any(kind.method(name) is not None for name in ("_apply", "to")):
        return True
    inside = set(ast.walk(statement))
    if any(one.move is not None and one.tie.node in inside for one in all_tied(context)):
        return True
    analysis = analysis_of(context.view.own)
    events = (event for function in analysis.functions_in(context.view.own.file) for event in function.events)
    is_known = any(event.kind is Kind.TIE and event.node in inside and event.other for event in events)
    return is_known and next(module_moves(context, owner), None) is not None
