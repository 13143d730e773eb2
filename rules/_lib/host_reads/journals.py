"""Journals: what functions of the project keep of the values that steps give them, and show now and then.

``logger.mean("loss", loss.item())`` in each step, ``logger.dump()`` in some, in whichever files. All of these calls may
be step closures, which run in one thread, in their order. That is so where each of them that a step makes is a
statement of its own, and where nobody else looks at what the journal holds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.keeping import Kept, State, begun_when_asked, is_made, kept_by
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.passes import Pass
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostRead
from xlaport.facts.role import Role
from xlaport.facts.roles import roles_of
from xlaport.facts.running import places
from xlaport.facts.steps import Steps
from xlaport.facts.structure import CallSite, Function

from .closures import Handed, handed
from .log_runs import LogRun


@dataclass
class Journal:
    """What is kept, by which functions, and the calls of these that steps make."""

    keeps: list[State] = field(default_factory=list)
    functions: dict[FunctionNode, Function] = field(default_factory=dict)
    sites: dict[ast.Call, CallSite] = field(default_factory=dict)
    computed: dict[ast.expr, tuple[Facts, HostRead]] = field(default_factory=dict)
    """What its functions would have the device compute, beside the next step."""


def journals_of(context: Context) -> list[tuple[Journal, list[ast.stmt]]]:
    """The journals that a file fills or shows, or whose functions it has, with the statements of it that do so.

    All files are read as they are on disk, this one, too: so each comes to the same answer, in each round.
    """
    return context.view.own.once("journals here", lambda: list(_here(context)))


def _here(context: Context) -> Iterator[tuple[Journal, list[ast.stmt]]]:
    own, structure = context.view.own, context.flow.structure
    found_so = own.program.facts(own.file) if not context.view.is_alone else None
    if found_so is None:
        return
    disk = context.of(found_so)
    found: dict[int, tuple[Journal, list[ast.stmt]]] = {}
    for node in context.module.of_type(ast.FunctionDef):
        journal = _as_found(disk, Function(own, node))
        if journal is not None and any(facts is found_so for facts, _ in journal.computed.values()):
            found[id(journal)] = (journal, [])
    for call in context.module.calls:
        statement = context.module.parents[call]
        function = structure.run_by(own, call) if isinstance(statement, ast.Expr) else None
        journal = _as_found(disk, function) if function is not None else None
        if journal is None or not isinstance(statement, ast.Expr):
            continue
        caller = context.module.function(call)
        names = {name_of(f.facts, node) for node, f in journal.functions.items()}
        is_own = caller is not None and name_of(own, caller) in names
        if not is_own and _closure_around(context, call) is None:
            found.setdefault(id(journal), (journal, []))[1].append(statement)
    yield from found.values()


def _as_found(disk: Context, function: Function) -> Journal | None:
    """The journal of a function as the files are on disk."""
    journals = disk.view.own.once("journals", dict[tuple[str, ...], Journal | None])
    name = name_of(function.facts, function.node)
    if name not in journals:
        own = disk.view.own
        if function.facts.file == own.file:
            nodes = own.module.of_type(ast.FunctionDef)
            node = next((node for node in nodes if name_of(own, node) == name), None)
            function = Function(own, node or function.node)
        is_there = function.node in function.facts.module.parents
        found = journals[name] = _Finder(disk).of(function) if is_there else None
        journals |= {name_of(f.facts, node): found for node, f in found.functions.items()} if found is not None else {}
    return journals[name]


def name_of(facts: Facts, function: FunctionNode) -> tuple[str, ...]:
    """The file of a function, and the names of what it stands in."""
    around = [p for p in (function, *facts.module.ancestors(function)) if isinstance(p, FunctionNode | ast.ClassDef)]
    return (facts.file, *(parent.name for parent in reversed(around)))


def computed_here(context: Context, journal: Journal) -> Iterator[HostRead]:
    """What the functions of a journal in a file would have the device compute to read it, as the file is by now."""
    own = context.view.own
    found = {
        (name_of(facts, function), ast.unparse(read.node))
        for facts, read in journal.computed.values()
        if (function := facts.module.function(read.node)) is not None
    }
    for node in context.module.of_type(ast.FunctionDef):
        for read in context.reads.all_in(node.body):
            if (name_of(own, node), ast.unparse(read.node)) in found:
                yield read


class _Stays(Exception):
    """It cannot become closures."""


class _Finder:
    def __init__(self, context: Context) -> None:
        self.context = context
        self.structure = context.flow.structure
        self.journal = Journal()
        self._late: dict[FunctionNode, bool] = {}

    def of(self, function: Function) -> Journal | None:
        """The journal that a function is of."""
        kept = kept_by(self.structure, function) if function.node.name != "__init__" else None
        if kept is None or not kept.keeps:
            return None
        try:
            self._keep(kept)
            done = 0
            while done < len(self.journal.keeps):
                todo = self.journal.keeps[done:]
                done = len(self.journal.keeps)
                for state in todo:
                    for touching in self._touching(state):
                        self._climb(touching)
            if not all(map(self._may_be_closure, self.journal.sites.values())) or self._is_closed():
                return None
        except _Stays:
            return None
        return self.journal if self._needs_device() and self._is_shown_seldom() else None

    def _keep(self, kept: Kept) -> None:
        self.journal.keeps += [state for state in kept.keeps if state not in self.journal.keeps]
        self.journal.computed |= {read.node: (facts, read) for facts, read in kept.computed}

    def _touching(self, state: State) -> list[Function]:
        """The functions that name what is kept. Raises `_Stays` where other code does, which may run in steps."""
        found: dict[FunctionNode, Function] = {}
        for facts, node in self._named(state):
            function = facts.module.function(node)
            if function is None:
                if isinstance(getattr(node, "ctx", None), ast.Load):
                    raise _Stays
                continue  # it begins as the file is loaded
            if not is_made(facts, node) and node not in begun_when_asked(facts, function):
                found[function] = Function(facts, function)
        return list(found.values())

    def _named(self, state: State) -> list[tuple[Facts, ast.expr]]:
        found: list[tuple[Facts, ast.expr]] = []
        structure = self.structure
        if state.owner is None:
            facts = structure.analysis(self.context.view.own).facts(state.file)
            if facts is None or structure.is_everywhere(facts, state.name):
                raise _Stays
            names = [b.node for b in facts.names.root.bindings.get(state.name, [])]
            names += facts.names.uses(facts.names.root, state.name)
            return [*((facts, n) for n in names if isinstance(n, ast.expr)), *structure.references(facts, state.name)]
        for facts in structure.files_with(state.owner, state.name):
            for node in facts.module.attributes[state.name]:
                owner = structure.instance_of(facts, node.value) or structure.class_named(facts, node.value)
                if owner is not None and not structure.is_related(owner, state.owner):
                    continue
                call = facts.module.parents[node]
                is_method = isinstance(call, ast.Call) and call.func is node
                if owner is None and (is_method or self._is_other(facts, node.value)):
                    continue
                found.append((facts, node))
        return found

    def _is_other(self, facts: Facts, node: ast.expr) -> bool:
        """Whether something is no object of the project."""
        value = self.structure.value(facts, node)
        known = value is not None and value.type is not None and not self.structure.instances_of(facts, node)
        return known or facts.names.resolve(node) is not None or roles_of(facts).role(node) is not None

    def _climb(self, function: Function) -> None:
        """Take a function, and those that run it, as far as these may run later; what stays has the calls."""
        if function.node in self.journal.functions:
            return
        sites, others = self.structure.calls_to(function), list(places(self.structure, function.facts, function.node))
        if not self._is_run(function, frozenset()):
            return
        if others or not self._is_late(function):
            raise _Stays
        self.journal.functions[function.node] = function
        kept = kept_by(self.structure, function)
        if kept is not None:
            self._keep(kept)
        for site in sites:
            if (around := _closure_around(self.context.of(site.facts), site.node)) is not None:
                self.journal.sites[around] = CallSite(site.facts, around)  # it is done already
                continue
            program = site.facts.program
            if program.is_run and site.facts.file not in program.files:
                continue  # of another program
            node = site.facts.module.function(site.node)
            caller = Function(site.facts, node) if node is not None else None
            if caller is not None and not self._is_run(caller, frozenset()):
                continue
            if caller is not None and self._is_late(caller):
                self._climb(caller)
            else:
                self.journal.sites[site.node] = site

    def _is_run(self, function: Function, seen: frozenset[ast.AST]) -> bool:
        """Whether something runs a function, as far as that is seen."""
        sites = [(site.facts, site.node) for site in self.structure.calls_to(function)]
        for facts, node in (*sites, *places(self.structure, function.facts, function.node)):
            caller = facts.module.function(node)
            if caller is None:
                return True
            if caller not in seen and self._is_run(Function(facts, caller), seen | {function.node}):
                return True
        return False

    def _is_late(self, function: Function) -> bool:
        """Whether a function only keeps, and looks at nothing that steps change meanwhile."""
        if function.node not in self._late:
            kept = kept_by(self.structure, function)
            states = [state for state in kept.looks if state not in kept.keeps] if kept is not None else []
            self._late[function.node] = kept is not None and not any(map(self._is_changed, states))
        return self._late[function.node]

    def _is_changed(self, state: State) -> bool:
        """Whether other functions than those of the journal set something in steps, or put something into it."""
        if any(state.may_be(kept, self.structure) for kept in self.journal.keeps):
            return False
        for facts in self.structure.analysis(self.context.view.own).files():
            stores = [n for n in facts.module.attributes.get(state.name, ()) if not isinstance(n.ctx, ast.Load)]
            for node in stores if not state.file else ():
                owner = self.structure.instance_of(facts, node.value) or self.structure.class_named(facts, node.value)
                other = State(state.name, owner)
                if other.may_be(state, self.structure) and self._runs_again(facts, node, frozenset()):
                    return True
        return False

    def _runs_again(self, facts: Facts, node: ast.expr, seen: frozenset[ast.AST]) -> bool:
        """Whether a node runs with the steps: not where an object is made, at once or when it is first asked for."""
        function = facts.module.function(node)
        if function in seen or is_made(facts, node) or not self.context.of(facts).step_code.with_steps(node):
            return False
        if function is None or not self.context.of(facts).step_code.runs_in_steps(function):
            return True
        if node in begun_when_asked(facts, function):
            return False
        sites = self.structure.calls_to(Function(facts, function))
        return not sites or any(self._runs_again(site.facts, site.node, seen | {function}) for site in sites)

    # -- the calls -------------------------------------------------------------------------------------

    def _may_be_closure(self, site: CallSite) -> bool:
        """Whether a call is a statement of a step that can be handed over, and has a barrier behind it."""
        context, call = self.context.of(site.facts), site.node
        statement = context.module.parents[call]
        if is_handed(context, call):
            return True
        if not isinstance(statement, ast.Expr) or not context.step_code.in_step(call):
            return False
        if any(isinstance(parent, ast.Try | ast.With) for parent in _in_pass(context, statement)):
            return False
        return closure_of(context, statement) is not None and _is_cut_behind(context, statement)

    def _is_closed(self) -> bool:
        """Whether the program closes a file, or the like, that a function of the journal writes to."""
        kept = [kept_by(self.structure, function) for function in self.journal.functions.values()]
        states = {state for each in kept if each is not None for state in each.looks if state.owner is not None}
        for facts in self.structure.analysis(self.context.view.own).files():
            for node in facts.module.attributes.get("close", ()):
                closed, function = node.value, facts.module.function(node)
                if not isinstance(closed, ast.Attribute) or function is None:
                    continue
                owner = self.structure.instance_of(facts, closed.value)
                is_its = any(State(closed.attr, owner).may_be(state, self.structure) for state in states)
                if is_its and self._is_run(Function(facts, function), frozenset()):
                    return True
        return False

    def _is_shown_seldom(self) -> bool:
        """Whether steps fill it, and some only show it: or else, nobody would wait the less."""
        sites = self.journal.sites.values()
        seldom = [self.context.of(site.facts).step_code.is_now_and_then(site.node) for site in sites]
        return any(seldom) and not all(seldom)

    def _needs_device(self) -> bool:
        """Whether some of it waits for the device: or else, nothing is won."""
        if self.journal.computed:
            return True
        if any(
            reads
            for f in self.journal.functions.values()
            if (reads := self.context.of(f.facts).reads.within(f.node.body))
        ):
            return True
        return any(self._gives_device(site) for site in self.journal.sites.values())

    def _gives_device(self, site: CallSite) -> bool:
        context = self.context.of(site.facts)
        given = [*site.node.args, *(keyword.value for keyword in site.node.keywords)]
        return bool(context.reads.within(given)) or any(context.roles.is_(value, Role.TENSOR) for value in given)


def is_handed(context: Context, call: ast.Call) -> bool:
    """Whether a call hands something over to a closure."""
    return context.resolve(call.func) == context.target.symbol("add_step_closure").qualified


def _closure_around(context: Context, node: ast.AST) -> ast.Call | None:
    """The call that hands over the closure that a node is a part of: a lambda, or a function of its own."""
    for parent in context.module.ancestors(node):
        call = context.module.parents[parent] if isinstance(parent, ast.Lambda) else None
        if isinstance(call, ast.Call) and is_handed(context, call):
            return call
        if isinstance(parent, FunctionNode):
            uses = context.names.uses(context.names.scope(parent), parent.name)
            calls = [call for use in uses if isinstance(call := context.module.parents[use], ast.Call)]
            given = [call for call in calls if is_handed(context, call)]
            return given[0] if given and len(given) == len(uses) else None
    return None


def _in_pass(context: Context, node: ast.AST) -> list[ast.AST]:
    """What is around a node, up to its step loop or its function."""
    found: list[ast.AST] = []
    for parent in context.module.ancestors(node):
        if parent is around(context, node):
            break
        found.append(parent)
    return found


def around(context: Context, node: ast.AST) -> LoopNode | FunctionNode:
    """The step loop, or the function, that a node of a step is in."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, FunctionNode):
            return parent
        if isinstance(parent, LoopNode) and context.loops.step_loop(parent) is not None:
            return parent
    raise ValueError("it is in no step")


def closure_of(context: Context, *statements: ast.stmt) -> Handed | None:
    """What a closure of some statements has to be handed."""
    return handed(context, statements, around(context, statements[0]), frozenset())


def _is_cut_behind(context: Context, statement: ast.stmt) -> bool:
    """Whether each pass that runs a statement, of whatever file, comes to a barrier behind it."""
    inside = around(context, statement)
    if isinstance(inside, LoopNode):
        loop = context.loops.step_loop(inside)
        is_cut = loop is not None and bool(loop.barriers or loop.cut_by_loader or "XP201" in context.codes)
        return is_cut and not inside.orelse
    runs = context.steps.passes.running(inside)
    return bool(runs) and all(_is_cut_in(run, "XP201" in context.codes) for run in runs or ())


def has_barrier(context: Context, function: FunctionNode) -> bool:
    """Whether the loops of a file that run a function have their barriers by now."""
    runs = context.steps.passes.running(function) or ()
    return all(_is_cut_in(run, run.loops.facts is not context.view.own) for run in runs)


def _is_cut_in(run: Pass, is_to_be: bool) -> bool:
    """Whether the barrier of a loop stands beside a call or behind it, or belongs there if it is to be made."""
    if run.loop.cut_by_loader:
        return True
    steps, body = Steps(run.loops), run.loop.node.body
    made = steps.cuts(run.loop) if is_to_be else ()
    nodes: list[ast.AST] = [*run.loop.barriers] or [cut.statement for cut in made]
    cuts = (steps.module.place_in(body, node) for node in nodes)
    here = steps.module.place_in(body, run.call)
    return here is not None and any(cut is not None and here <= cut for cut in cuts)


def journal_runs(context: Context) -> list[LogRun]:
    """The statements of a file that are calls of journals, those that stand together as one."""
    found = [statement for _, statements in journals_of(context) for statement in statements]
    groups: list[list[ast.stmt]] = []
    for statement in sorted(found, key=lambda s: s.lineno):
        block = context.module.block(statement)
        at = block.index(statement)
        if groups and at and groups[-1][-1] is block[at - 1] and closure_of(context, *groups[-1], statement):
            groups[-1].append(statement)
        else:
            groups.append([statement])
    closures = ((group, closure_of(context, *group)) for group in groups)
    return [
        LogRun(context.module.block(g[0]), tuple(g), given, is_kept=True) for g, given in closures if given is not None
    ]
