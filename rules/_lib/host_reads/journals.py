"""Journals: what functions of the project keep of the values that steps give them, and show now and then.

``logger.mean("loss", loss.item())`` in each step, ``logger.dump()`` in some, in whichever files. All of these calls may
be step closures, which run in one thread, in their order. That is so where each of them that a step makes is a
statement of its own, and where nobody else looks at what the journal holds.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.classes import stored
from xlaport.facts.keeping import Kept, State, begun_when_asked, is_made, kept_by
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostRead
from xlaport.facts.role import Role
from xlaport.facts.roles import roles_of
from xlaport.facts.running import places
from xlaport.facts.structure import CallSite, Function
from xlaport.suppressions.comments import in_python

from ..step_closures import hands_closure
from .around_calls import around, in_pass, is_cut_behind, may_end_behind
from .closure_names import element
from .closures import Handed, handed
from .in_sight import InSight
from .refused import Refused

_PARTS = ast.Attribute | ast.Subscript | ast.BinOp | ast.Compare | ast.FormattedValue
"""What stands around an object of which something is asked."""


@dataclass
class Journal:
    """What is kept, by which functions, and the calls of these that steps make."""

    keeps: list[State] = field(default_factory=list)
    functions: dict[FunctionNode, Function] = field(default_factory=dict)
    sites: dict[ast.Call, CallSite] = field(default_factory=dict)
    computed: dict[ast.expr, tuple[Facts, HostRead]] = field(default_factory=dict)
    """What its functions would have the device compute, beside the next step."""
    is_held: bool = False
    """Whether one of the calls is to be left as it is, so that all of them are."""


class _Stays(Exception):
    """It cannot become closures."""


class JournalFinder:
    """Finds the journal that a function is of, as a context sees the project."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.structure = context.flow.structure
        self.journal = Journal()
        self.sight = InSight(context)
        self._late: dict[FunctionNode, bool] = {}
        self._own: dict[ast.Name, bool] = {}

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
        except (_Stays, Refused):
            return None
        is_one = function.node in self.journal.functions and self._needs_device() and self._is_shown_seldom()
        self.journal.is_held = any(map(self._is_to_stay, self.journal.sites.values()))
        return self.journal if is_one else None

    def _keep(self, kept: Kept) -> None:
        for owner in {state.owner for state in kept.keeps if state.owner is not None}:
            self.sight.check_object(owner)
        self.journal.keeps += [state for state in kept.keeps if state not in self.journal.keeps]
        self.journal.computed |= {read.node: (facts, read) for facts, read in kept.computed}

    def _touching(self, state: State) -> list[Function]:
        """The functions that name what is kept. Raises `_Stays` where other code does, which may run in steps."""
        found: dict[FunctionNode, Function] = {}
        for facts, node in self._named(state):
            function = facts.module.function(node)
            is_begun = function is not None and node in begun_when_asked(facts, function)
            if function is not None and not is_made(facts, node) and not is_begun:
                found[function] = Function(facts, function)
            elif not self._is_only_its_own(facts, node, is_begun):
                raise _Stays
        return list(found.values())

    def _is_only_its_own(self, facts: Facts, node: ast.expr, is_begun: bool) -> bool:
        """Whether nobody else has what is kept by another name, as it begins: it is made there, and not handed on."""
        if isinstance(getattr(node, "ctx", None), ast.Load):
            around = facts.module.parents[node]
            is_alone = isinstance(around, _PARTS) or roles_of(facts).is_(node, Role.NUMBER, Role.TEXT)
            return is_begun or (is_alone and is_made(facts, node))
        given = stored(facts.module, node)
        return given is not None and self._is_made_there(facts, given)

    def _is_made_there(self, facts: Facts, given: ast.expr) -> bool:
        """Whether nobody else has what an expression gives: an empty list, a number, what a library makes."""
        if roles_of(facts).is_(given, Role.NUMBER, Role.TEXT):
            return True
        found = self.structure.instances_of(facts, given)
        if found and not any({*self.structure.of_libraries(owner)} - {"builtins.object"} for owner in found):
            return True  # each part of such an object is seen by itself
        match given:
            case ast.Name():
                if given not in self._own:
                    self._own[given] = False  # where it calls itself
                    self._own[given] = self._is_handed_over(facts, given)
                return self._own[given]
            case ast.List() | ast.Tuple() | ast.Set():
                return all(self._is_made_there(facts, part) for part in given.elts)
            case ast.Dict():
                return all(self._is_made_there(facts, part) for part in given.values)
            case ast.ListComp() | ast.SetComp() | ast.DictComp():
                return self._is_made_there(facts, element(given))
            case ast.Call():
                return facts.names.resolve(given.func) is not None and (
                    self.structure.class_named(facts, given.func) is not None or not self.structure.runs(facts, given)
                )
        return isinstance(given, ast.Constant | ast.BinOp | ast.UnaryOp | ast.Compare | ast.JoinedStr | ast.Lambda)

    def _is_handed_over(self, facts: Facts, name: ast.Name) -> bool:
        """Whether what a name stands for is made for this alone, by all callers or there."""
        bound, function = facts.names.reaching(name), facts.module.function(name)
        if len(bound) != 1 or function is None or not self._is_alone(facts, name, function):
            return False
        if bound[0].how is How.PARAMETER:
            run, given = Function(facts, function), list[tuple[Facts, ast.expr | None]]()
            for site in self.structure.calls_to(run):
                caller = site.facts.module.function(site.node)
                if caller is None or self._is_run(Function(site.facts, caller), frozenset()):
                    given.append(self.structure.given(site, run, name.id))
            return bool(given) and all(value is not None and self._is_made_there(at, value) for at, value in given)
        made, around = bound[0].value, facts.module.parents[bound[0].node]
        is_one = bound[0].how is How.ASSIGN and isinstance(around, ast.Assign) and len(around.targets) == 1
        return is_one and made is not None and self._is_made_there(facts, made)

    def _is_alone(self, facts: Facts, name: ast.Name, function: FunctionNode) -> bool:
        """Whether a function does nothing else with what a name stands for, but asks once whether there is anything."""
        home = facts.names.home(name)
        uses = facts.names.uses(home, name.id) if home is not None else ()
        for use in uses:
            test = facts.module.parents[use]
            if use is name:
                continue
            is_test = isinstance(test, ast.If) and test.test is use and facts.module.function(use) is function
            if not is_test or self._runs_again(facts, use, frozenset()):
                return False
        return True

    def _named(self, state: State) -> list[tuple[Facts, ast.expr]]:
        found: list[tuple[Facts, ast.expr]] = []
        structure = self.structure
        if state.owner is None and state.file:
            facts = structure.analysis(self.context.view.own).facts(state.file)
            if facts is None or structure.is_everywhere(facts, state.name):
                raise _Stays
            names = [b.node for b in facts.names.root.bindings.get(state.name, [])]
            names += facts.names.uses(facts.names.root, state.name)
            return [*((facts, n) for n in names if isinstance(n, ast.expr)), *structure.references(facts, state.name)]
        for facts in structure.analysis(self.context.view.own).files():
            for node in facts.module.attributes.get(state.name, ()):
                owner = structure.instance_of(facts, node.value) or structure.class_named(facts, node.value)
                if not State(state.name, owner).may_be(state, structure):
                    continue
                call = facts.module.parents[node]
                is_method = isinstance(call, ast.Call) and call.func is node
                if owner is None and (is_method or (state.owner and self._is_other(facts, node.value))):
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
            if (around := closure_around(self.context.of(site.facts), site.node)) is not None:
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
            self._late[function.node] = kept is not None and not any(
                self._is_changed(state, state in kept.into) for state in kept.looks if state not in kept.keeps
            )
        return self._late[function.node]

    def _is_changed(self, state: State, is_looked_into: bool) -> bool:
        """Whether other functions than those of the journal set something in steps, or put something into it."""
        if any(state.may_be(kept, self.structure) for kept in self.journal.keeps):
            return False
        try:
            for facts, node in self._named(state):
                if not isinstance(_whole(facts, node).ctx, ast.Load) and self._runs_again(facts, node, frozenset()):
                    return True
            touching = self._touching(state) if is_looked_into else ()
        except _Stays:
            return True
        found = (kept_by(self.structure, f) for f in touching if self._is_run(f, frozenset()))
        return any(kept is None or any(state.may_be(each, self.structure) for each in kept.keeps) for kept in found)

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

    def _is_to_stay(self, site: CallSite) -> bool:
        """Whether a comment, or the configuration, keeps a call as it is."""
        program, file = site.facts.program, site.facts.file
        start = self.context.of(site.facts).span(site.node).start
        is_left = file not in program.writable or file in program.partly
        return is_left or in_python(site.facts.module.text).keeps(start, "XP305")

    def _may_be_closure(self, site: CallSite) -> bool:
        """Whether a call is a statement of a step that can be handed over, and has a barrier behind it."""
        context, call = self.context.of(site.facts), site.node
        statement = context.module.parents[call]
        if hands_closure(context, call):
            return True
        if not isinstance(statement, ast.Expr) or not context.step_code.in_step(call):
            return False
        if any(isinstance(parent, ast.Try | ast.With) for parent in in_pass(context, statement)):
            return False
        if may_end_behind(context, statement):
            return False  # before a barrier runs the closure
        return closure_of(context, statement) is not None and is_cut_behind(context, statement)

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
        functions = self.journal.functions.values()
        reads = any(self.context.of(f.facts).reads.within(f.node.body) for f in functions)
        return reads or bool(self.journal.computed) or any(map(self._gives_device, self.journal.sites.values()))

    def _gives_device(self, site: CallSite) -> bool:
        context = self.context.of(site.facts)
        given = [*site.node.args, *(keyword.value for keyword in site.node.keywords)]
        if context.reads.within(given) or any(context.roles.is_(value, Role.TENSOR) for value in given):
            return True
        names = (value for value in given if isinstance(value, ast.Name))
        bound = [b.node for name in names for b in context.names.reaching(name) if b.how is not How.PARAMETER]
        made = [site.node, *(node for node in bound if context.module.function(node) is not None)]
        return context.loops.calls_what_reads([context.module.statement(node) for node in made])


def closure_around(context: Context, node: ast.AST) -> ast.Call | None:
    """The call that hands over the closure that a node is a part of: a lambda, or a function of its own."""
    for parent in context.module.ancestors(node):
        call = context.module.parents[parent] if isinstance(parent, ast.Lambda) else None
        if isinstance(call, ast.Call) and hands_closure(context, call):
            return call
        if isinstance(parent, FunctionNode):
            uses = context.names.uses(context.names.scope(parent), parent.name)
            calls = [call for use in uses if isinstance(call := context.module.parents[use], ast.Call)]
            given = [call for call in calls if hands_closure(context, call)]
            return given[0] if given and len(given) == len(uses) else None
    return None


def _whole(facts: Facts, node: ast.expr) -> ast.Name | ast.Attribute | ast.Subscript:
    """The part of something that is set or looked at: all of ``self.options["step"]``."""
    assert isinstance(node, ast.Name | ast.Attribute | ast.Subscript)
    around = facts.module.parents[node]
    is_part = isinstance(around, ast.Attribute | ast.Subscript) and around.value is node
    return _whole(facts, around) if is_part and isinstance(around, ast.expr) else node


def closure_of(context: Context, *statements: ast.stmt) -> Handed | None:
    """What a closure of some statements has to be handed."""
    return handed(context, statements, around(context, statements[0]), is_kept=True)
