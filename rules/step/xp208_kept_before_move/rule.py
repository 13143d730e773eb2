"""XP208: what is kept of a model's parameters before they move."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted
from xlaport.facts.scopes import all_parameters
from xlaport.facts.structure import Class
from xlaport.rule import Applicability, Finding, Harm, Rule, Span, Trait

from ..._lib import host_only
from ..._lib.elsewhere import line_of
from ..._lib.one_line import one_line
from ..._lib.step import changing_places, optimizers, owned_optimizers, reordering
from ..._lib.step.keepers import Keeper, What, keepers
from ..._lib.step.module_moves import module_moves
from ..._lib.step.reordering import Pair, pair_of
from ..._lib.step.saying import say
from . import replaced, round_trips


class KeptBeforeMove(Rule):
    """Keep nothing of a model's parameters while it moves.

    ## What it does
    Finds lists of a model's parameters, hooks on them and attributes that are set on them, where the model is
    moved to the device afterwards. It moves the model first, where nothing in between could tell the difference
    (unsafe, where an object keeps them, such as a moving average, which is then made on the TPU), and reports the
    others, whatever the list and the model are called by then. It also reports a model that goes to
    the CPU and comes back while an optimizer holds its parameters, and `net.cpu().state_dict()` with a move back after
    it, wherever the model comes from, in a program with an optimizer.

    ## Why
    On a TPU, `model.to(device)` makes new Parameter objects; on a GPU it changes the old ones in place. Measured on
    torch_xla 2.9: a list made before still holds the old ones (`clip_grad_norm_` finds no gradient in them and
    returns 0), hooks on them are no longer called, and their attributes (`p.no_weight_decay = True`) and their
    class are gone. No error appears. `requires_grad`, gradients, and hooks of modules are carried over; buffers and
    plain tensors behave as on CUDA.

    ## Example
        model = nn.Linear(4, 2)
        for p in model.parameters():
            p.register_hook(lambda grad: grad.clamp(-1, 1))
        model.to(torch.device("cuda"))

    becomes

        model = nn.Linear(4, 2)
        model.to(torch.device("cuda"))
        for p in model.parameters():
            p.register_hook(lambda grad: grad.clamp(-1, 1))

    ## When it is wrong
    If the old parameters are wanted: the list is compared with the new ones, or belongs to another model.

    ## When it is left alone
    What is kept of parameters after the move; modules, buffers and plain tensors, which behave as on a GPU; a model
    that was made on the device; a last move to the CPU.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP203, XP205, XP102.
    """

    code = "XP208"
    name = "kept-before-move"
    summary = "lists, hooks and marks of parameters come after model.to(device)"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    traits = (Trait.NEW_PARAMETERS,)
    words = (
        "parameters",
        ".cpu()",
        "register_hook",
        "register_post_accumulate_grad_hook",
        ".weight.",
        ".bias.",
        "setattr",
    )

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each thing that is left behind."""
        told: set[Span] = set()
        for finding in self._by_name(context):
            told.add(finding.span)
            yield finding
        for node, (facts, move), (there, use) in replaced.kept(context):
            spans = {context.span(around) for around in (node, context.module.statement(node))}
            if told.isdisjoint(spans) and not host_only.stays_on_host(context):
                yield self._kept(context, context.module.statement(node), (facts, move), line_of(context, there, use))

        for call, (facts, move) in replaced.hooked(context):
            statement = context.module.statement(call)
            above = (around for around in context.module.ancestors(statement) if isinstance(around, ast.stmt))
            spans = {context.span(around) for around in (statement, *above)}
            if told.isdisjoint(spans) and not host_only.stays_on_host(context):
                hooked = one_line(context, call.func.value if isinstance(call.func, ast.Attribute) else call)
                places = {"model": hooked, "place": line_of(context, facts, move), "lost": say.phrase("XP208.hook")}
                yield self.finding(context.span(statement), say("XP208.handed", **places))

    def _by_name(self, context: Context) -> Iterator[Finding]:
        told: set[tuple[object, ...]] = set()
        every = keepers(context)
        taken = _taken_by_optimizers(context) if every else set()
        for keeper in every:
            owner = context.module.class_of(keeper.node)
            place = (owner,) if keeper.what is What.MARK else (context.module.function(keeper.node), keeper.model)
            key = *place, keeper.what, keeper.name
            if key in told or keeper.statement in taken:
                continue
            if owner is not None and _is_of_module(context, owner, keeper):
                found = self._in_class(context, owner, keeper)
            else:
                found = self._outside(context, keeper)
            if found is not None:
                told.add(key)
                yield found
        for trip in round_trips.round_trips(context):
            yield self.finding(
                context.span(trip.leaves),
                say("XP208.round_trip", model=trip.model, line=context.line(trip.returns), optimizer=trip.optimizer),
            )

    def _kept(self, context: Context, statement: ast.stmt, late: tuple[Facts, ast.AST], use: str) -> Finding:
        """What something else than the optimizer keeps; where the move can come first, parity is to say if it may."""
        facts, move = late
        func = move.func if isinstance(move, ast.Call) else None
        model = dotted(func.value) if isinstance(func, ast.Attribute) and facts is context.view.own else None
        pair = pair_of(context, statement, model, statement) if model is not None else None
        changes = reordering.edits(context, pair) if pair is not None and not _comes_first(context, pair) else ()
        text = say("XP208.kept", place=line_of(context, facts, move), use=use)
        if pair is None or not changes:
            return self.finding(context.span(statement), text)
        text = say("XP208.first_unsafe", model=pair.model, use=use)
        return self.finding(context.span(statement), text, *changes, applicability=Applicability.UNSAFE)

    # -- in the making of a module ---------------------------------------------------------------------

    def _in_class(self, context: Context, owner: ast.ClassDef, keeper: Keeper) -> Finding | None:
        init = context.names.method(owner, "__init__")
        if init is None or any(arg.arg == "device" for arg in all_parameters(init.args)):
            return None
        function = context.module.function(keeper.node)
        if function is None or not owned_optimizers.is_run_when_made(context, owner, function):
            return None
        lost = self._lost_by(context, owner, keeper)
        if lost is None:
            return None
        move = next(module_moves(context, owner), None)
        if move is None and _is_given(context, owner, keeper):
            return None
        where = say.phrase("XP208.later")
        if move is not None:
            where = say.phrase("XP208.where", place=line_of(context, *move))
        return self.finding(context.span(keeper.node), say("XP208.class", name=owner.name, where=where, lost=lost))

    def _lost_by(self, context: Context, owner: ast.ClassDef, keeper: Keeper) -> str | None:
        """What the objects of a class lose; None where nobody looks at it."""
        if keeper.what is What.MARK:
            found = _mark_reader(context, owner, keeper.name)
            reader = line_of(context, *found) if found is not None else None
            return say.phrase("XP208.read_mark", name=keeper.name, reader=reader) if reader is not None else None
        is_list = keeper.what is What.LIST
        return None if is_list and not _is_read_later(context, owner, keeper.name.rpartition(".")[2]) else _lost(keeper)

    # -- elsewhere -------------------------------------------------------------------------------------

    def _outside(self, context: Context, keeper: Keeper) -> Finding | None:
        span = context.span(keeper.statement)
        pair = pair_of(context, keeper.statement, keeper.model, keeper.statement)
        if pair is not None:
            if keeper.what is What.LIST and not _is_used_behind(context, keeper, pair):
                return None
            if changing_places.will_move(context, pair.move):
                return None  # it may be in order after that
            changes = reordering.edits(context, _first(context, pair))
            if changes:
                return self.finding(span, say("XP208.first", model=keeper.model, lost=_lost(keeper)), *changes)
            line = context.line(pair.move)
            return self.finding(span, say("XP208.by_hand", model=keeper.model, line=line, lost=_lost(keeper)))
        later = replaced.moved_behind(context, keeper.statement)
        if later is None or (keeper.what is What.LIST and not _is_kept(context, keeper)):
            return None
        place = line_of(context, *later)
        return self.finding(span, say("XP208.handed", model=keeper.model, place=place, lost=_lost(keeper)))


def _first(context: Context, pair: Pair) -> Pair:
    """The first of the keepers that the same move leaves behind: it goes above all of them."""
    others = [pair_of(context, k.statement, k.model, k.statement) for k in keepers(context) if k.model == pair.model]
    same = [other for other in others if other is not None and other.move is pair.move]
    return min(same, key=lambda other: other.first.lineno)


def _comes_first(context: Context, pair: Pair) -> bool:
    """Whether the move of a pair comes first for something that is told by its name."""
    by_name = [(keeper.statement, keeper.model, keeper.statement) for keeper in keepers(context)]
    for optimizer in optimizers.built(context):
        by_name += [(optimizer, model, at) for model, at in optimizers.sources(context, optimizer).items()]
    others = (pair_of(context, *one) for one in by_name if one[0] is not pair.taker)
    return any(other is not None and other.move is pair.move for other in others)


def _lost(keeper: Keeper) -> str:
    if keeper.what is What.LIST:
        return say.phrase("XP208.list", name=keeper.name)
    return say.phrase("XP208.hook") if keeper.what is What.HOOK else say.phrase("XP208.mark", name=keeper.name)


def _taken_by_optimizers(context: Context) -> set[ast.stmt]:
    """The statements of which XP203 speaks."""
    return {
        statement
        for optimizer in optimizers.built(context)
        for statement in [optimizer, *optimizers.sources(context, optimizer).values()]
    }


def _is_of_module(context: Context, owner: ast.ClassDef, keeper: Keeper) -> bool:
    """Whether the parameters belong to the object of a module class around the statement."""
    function = context.module.function(keeper.node)
    me = function.args.args[0].arg if function is not None and function.args.args else None
    return keeper.model.partition(".")[0] == me and owned_optimizers.is_module(context, owner)


def _is_used_behind(context: Context, keeper: Keeper, pair: Pair) -> bool:
    """Whether a collection is looked at behind the move, and not filled anew before."""
    function = context.module.function(keeper.statement)
    body = function.body if function is not None else context.module.tree.body
    behind = [n for n in walk_block(body) if getattr(n, "lineno", 0) > (pair.move.end_lineno or 0)]
    if "." in keeper.name:
        return True
    return any(isinstance(n, ast.Name) and n.id == keeper.name and isinstance(n.ctx, ast.Load) for n in behind)


def _is_kept(context: Context, keeper: Keeper) -> bool:
    """Whether a collection outlives its function: an attribute, or a global of the file."""
    return "." in keeper.name or context.module.function(keeper.statement) is None


# -- who misses it ---------------------------------------------------------------------------------------


def _is_given(context: Context, owner: ast.ClassDef, keeper: Keeper) -> bool:
    """Whether the parameters belong to a module that the class was given, on its device perhaps: it wraps it."""
    _, _, rest = keeper.model.partition(".")
    values = context.roles.classes.attribute_values(owner, rest.partition(".")[0]) if rest else []
    return any(isinstance(value, ast.Name) for value in values)


def _is_read_later(context: Context, owner: ast.ClassDef, name: str) -> bool:
    """Whether an attribute is read by something that does not run while the object is made."""
    structure = context.flow.structure
    for facts in structure.files_with(Class(context.view.own, owner), name):
        there = context.of(facts)
        for node in facts.loads.get(name, []):
            function = facts.module.function(node)
            around = facts.module.class_of(node)
            if around is owner and function is not None:
                if not owned_optimizers.is_run_when_made(there, owner, function):
                    return True
            elif (found := structure.instance_of(facts, node.value)) is not None and found.node is owner:
                return True
    return False


def _mark_reader(context: Context, owner: ast.ClassDef, name: str) -> tuple[Facts, ast.AST] | None:
    """Who asks parameters for an attribute, other than the methods that make the object."""
    program = context.view.program
    word = name.encode("utf-8", "surrogatepass")
    files = [f for f in program.files if word in program.data(f)]
    for facts in [context.view.own, *(f for file in files if (f := context.view.facts(file)) is not None)]:
        there = context.of(facts)
        for node in facts.module.nodes:
            if not _asks(there, node, name):
                continue
            function = facts.module.function(node)
            making = (
                facts.module.class_of(node) is owner
                and function is not None
                and owned_optimizers.is_run_when_made(there, owner, function)
            )
            if not making:
                return facts, node
    return None


def _asks(context: Context, node: ast.AST, name: str) -> bool:
    """``getattr(p, "name", …)``, ``hasattr(p, "name")``, and ``p.name`` for the ``p`` of a loop."""
    if isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
        asks = context.resolve(node.func) in ("builtins.getattr", "builtins.hasattr")
        return asks and node.args[1].value == name
    if not isinstance(node, ast.Attribute) or node.attr != name or not isinstance(node.ctx, ast.Load):
        return False
    return dotted(node.value) is not None and isinstance(node.value, ast.Name) and any(
        "param" in context.module.segment(b.value)
        for b in context.names.bindings(node.value)
        if b.value is not None and isinstance(b.node, ast.Name) and b.how is How.FOR
    )  # fmt: skip
