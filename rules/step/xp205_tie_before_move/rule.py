"""XP205: parameters that are tied before they are moved."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.scopes import all_parameters
from xlaport.facts.structure import Class
from xlaport.rule import Applicability, Edit, Finding, Harm, InsertStatement, MoveStatement, Replace, Rule, Span

from ..._lib import host_only
from ..._lib.elsewhere import line_of
from ..._lib.step import changing_places, replaced
from ..._lib.step.holders import outside_moves
from ..._lib.step.instances import instance_of, possible_instances, stripped
from ..._lib.step.moved_objects import Moved, moved_objects
from ..._lib.step.saying import say
from ..._lib.step.ties import Tie, Ties
from . import class_ties, library_ties, outside_ties, retie
from .class_ties import SharedParameter
from .outside_ties import OutsideTie
from .retie import Place

_TIES = re.compile(
    rb"\b(\w*_)?(weight|bias)\w*\s*=\s*[A-Za-z_][\w.\[\]'\"]*\s*(#.*)?$|_parameters\[|Parameter\(|transformers", re.M
)
"""What a file holds in which something may be tied, before anything is parsed."""


class TieBeforeMove(Rule):
    """Tie weights again after the model was moved.

    ## What it does
    Finds a model whose class lets two of its modules share a parameter, and that is moved to the device
    afterwards. It repeats the tie after the move, under the same conditions. Where these cannot be written there, it
    looks before the move whether the two are one. A class that is moved out of sight is reported with the statement to
    write, and so are modules that share what an attribute of their class, or a global name, keeps for all of them. A
    tie by another name, by a function or in a list or a dict of modules, is reported.

    ## Why
    On a TPU, `model.to(device)` makes a new Parameter of each one in each module; on a GPU it changes the old
    ones in place. What was one parameter is two from there on, which train apart: no error appears, and
    the model is another one. A language model of transformers may tie its output layer to its embedding, and its
    `tie_weights()` does so again. Measured on torch_xla 2.9: `is` becomes False and `model.parameters()` counts one
    more, however the parameter came into the second module (an attribute, `setattr`, `_parameters[…]`, a
    ParameterList). A module that is shared stays shared, and so does what is moved from XLA to XLA or only gets
    another dtype.

    ## Example
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = nn.Embedding(10, 4)
                self.decoder = nn.Linear(4, 10)
                self.decoder.weight = self.encoder.weight

        model = Model()
        model.to(torch.device("cuda"))

    becomes

        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = nn.Embedding(10, 4)
                self.decoder = nn.Linear(4, 10)
                self.decoder.weight = self.encoder.weight

        model = Model()
        model.to(torch.device("cuda"))
        model.decoder.weight = model.encoder.weight

    ## When it is wrong
    If the program unties the two on purpose, between the making of the model and its move, in a way
    that the analysis does not see. `torch.__future__.set_swap_module_params_on_conversion(True)` before the
    move keeps all parameters, and their ties, but it raises for old-style `weight_norm`.

    ## When it is left alone
    A model that moves before its weights are tied, or ties them again after the move; a module that is shared as a
    whole; a move that changes the dtype alone; a library's model that is not trained.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP203, XP208.
    """

    code = "XP205"
    name = "tie-before-move"
    summary = "weights are tied again after model.to(device)"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    words = (".to(", ".cuda(", ".weight", "Parameter")
    across = (".to(", ".cuda(")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each move that takes parameters apart, and for each tie whose move is out of sight."""
        told: set[Span] = set()
        for finding in self._by_name(context) if _may_tie(context) else ():
            told.add(finding.span)
            yield finding
        for move, (facts, tie) in replaced.parted(context):
            spans = [
                context.span(move),
                *([context.span(facts.module.statement(tie))] if facts is context.view.own else []),
            ]
            if told.isdisjoint(spans) and not host_only.stays_on_host(context):
                yield self.finding(spans[0], say("XP205.unseen", place=line_of(context, facts, tie)))

    def _by_name(self, context: Context) -> Iterator[Finding]:
        ties = Ties(context)
        every = list(moved_objects(context))
        for moved in every:
            found = instance_of(context, context.view.own, moved.base)
            if found is None:
                yield from self._library(context, moved)
                yield from self._possible(context, moved, ties)
                continue
            shared = ties.of(found.owner, found.made) if not found.is_moved else []
            place = Place(context, moved.statement, _name(context, moved) + found.inside, found)
            if any(not retie.is_done(place, tie, ties) for tie in shared):
                if not changing_places.will_move(context, moved.statement):
                    yield from self._finding(place, moved, shared, ties)
        for tie in outside_ties.outside_ties(context, ties):
            yield from self._outside(context, tie, every)
        yield from self._out_of_sight(context, ties)
        for shared_by_all in class_ties.shared_parameters(context):
            yield self._kept_for_all(context, shared_by_all)

    def _finding(self, place: Place, moved: Moved, shared: list[Tie], ties: Ties) -> Iterator[Finding]:
        span = place.context.span(moved.call)
        met = [tie for tie in shared if retie.lines(place, [tie]) != []]
        every = retie.remaining(met)
        wanted = [tie for tie in (met if every is None else every) if not retie.is_done(place, tie, ties)]
        if not wanted:
            return
        unsure = [tie for tie in wanted if retie.lines(place, [tie]) is None or retie.is_parted(place, tie, ties)]
        code = retie.lines(place, [tie for tie in wanted if tie not in unsure])
        named = _named(wanted)
        certain = Applicability.SAFE if place.instance.is_sure else Applicability.UNSAFE
        edits = None
        if every is not None and not any(tie.is_unclear for tie in every):
            edits = self._again(place, moved, unsure, ties, code or [])
        if edits:
            yield self.finding(span, say("XP205.again", **named), *edits, applicability=certain)
        else:
            yield self.finding(span, say("XP205.by_hand", **named, **_spelled(place, wanted)))

    def _possible(self, context: Context, moved: Moved, ties: Ties) -> Iterator[Finding]:
        """The move of what may be an object that ties, and may be another one: ``model = torch.load(path)``."""
        for found in possible_instances(context, context.view.own, moved.base):
            place = Place(context, moved.statement, _name(context, moved) + found.inside, found)
            shared = ties.of(found.owner, found.made) if not found.is_moved else []
            wanted = [t for t in shared if retie.lines(place, [t]) != [] and not retie.is_done(place, t, ties)]
            if not wanted or changing_places.will_move(context, moved.statement):
                continue
            name = found.owner.node.name
            yield self.finding(
                context.span(moved.call), say("XP205.possible", name=name, **_named(wanted), **_spelled(place, wanted))
            )
            return

    def _again(self, place: Place, moved: Moved, unsure: list[Tie], ties: Ties, code: list[str]) -> list[Edit] | None:
        """The edits that tie again behind a move; None where it cannot be said there."""
        context, at = place.context, place.context.span(moved.statement)
        if isinstance(moved.statement, ast.Return):
            return self._hoisted(context, moved, code) if not unsure else None
        if moved.root is None or not isinstance(moved.statement, ast.Expr | ast.Assign | ast.AnnAssign):
            return None
        if not unsure:
            return [InsertStatement(at, "\n".join(code))]
        guard = next((n for n in ("tied", "was_tied") if context.names.is_free(n, moved.statement)), None)
        if guard is None or moved.before is None or len(unsure) > 1 or not ties.is_there(unsure[0]):
            return None
        ask, again = retie.guarded(place, moved.before + place.instance.inside, guard, unsure[0])
        return [InsertStatement(at, ask, before=True), InsertStatement(at, "\n".join([*code, *again]))]

    def _hoisted(self, context: Context, moved: Moved, code: list[str]) -> list[Edit] | None:
        """The edits that take a move out of a ``return``, so that something can be written behind it."""
        assert isinstance(moved.statement, ast.Return)
        value = moved.statement.value
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        if not any(part is not None and stripped(part) is moved.base for part in parts):
            return None
        if any(isinstance(n, ast.Call) for p in parts if p is not None and stripped(p) is not moved.base
               for n in ast.walk(stripped(p))):  # fmt: skip
            return None
        name = _name(context, moved)
        move = context.module.segment(moved.call)
        ahead = move if moved.before is not None else f"{name} = {move}"
        insert = InsertStatement(context.span(moved.statement), "\n".join([ahead, *code]), before=True)
        return [insert, Replace(context.span(moved.call), name)]

    # -- ties from outside, and those of libraries -----------------------------------------------------

    def _outside(self, context: Context, tie: OutsideTie, every: list[Moved]) -> Iterator[Finding]:
        span = context.span(tie.statement)
        undone = outside_ties.undone(context, tie, every)
        if undone is None:
            later = outside_ties.later(context, tie)
            if later is not None:
                yield self.finding(span, say("XP205.handed", root=tie.root, place=later))
            return
        if changing_places.will_move(context, undone.moved.statement):
            return
        at = context.span(undone.moved.statement)
        if undone.can_sink:
            yield self.finding(span, say("XP205.outside", root=tie.root), MoveStatement(span, at))
        elif undone.can_repeat and not isinstance(tie.statement, ast.If):
            yield self.finding(span, say("XP205.outside", root=tie.root), InsertStatement(at, tie.says))
        else:
            line = context.line(undone.moved.statement)
            yield self.finding(span, say("XP205.repeat", root=tie.root, line=line, tie=tie.says))

    def _library(self, context: Context, moved: Moved) -> Iterator[Finding]:
        """A model of transformers', which may tie what it likes, and has a method that does it again."""
        if not library_ties.ties_its_weights(context, moved.base) or moved.root is None:
            return
        if not isinstance(moved.statement, ast.Expr | ast.Assign | ast.AnnAssign):
            return
        again = f"{moved.root}.tie_weights()"
        if library_ties.is_tied_behind(context, moved.statement, again):
            return
        yield self.finding(
            context.span(moved.call),
            say("XP205.library", again=again),
            InsertStatement(context.span(moved.statement), again),
        )

    def _kept_for_all(self, context: Context, shared: SharedParameter) -> Finding:
        """Modules that share what their class keeps: nobody sees how many there are, and in which model."""
        name = shared.owner.node.name if shared.owner is not None else "…"
        return self.finding(
            context.span(shared.statement), say("XP205.class", kept=shared.kept, name=name, way=shared.way)
        )

    # -- ties whose move is out of sight ---------------------------------------------------------------

    def _out_of_sight(self, context: Context, ties: Ties) -> Iterator[Finding]:
        own = context.view.own
        told: set[ast.stmt] = set()
        if not _TIES.search(context.module.text.encode("utf-8", "replace")):
            return
        for node in context.module.of_type(ast.ClassDef):
            for tie in () if _is_made_on_a_device(ties, Class(own, node)) else ties.of(Class(own, node)):
                if tie.facts is not own or tie.statement in told:
                    continue
                told.add(tie.statement)
                if not _is_moved_in_sight(context, ties, Class(own, node), tie):
                    yield self.finding(
                        context.span(tie.statement),
                        say("XP205.out_of_sight", name=node.name, tie=retie.text(tie, "model"), **_named([tie])),
                    )


def _named(ties: list[Tie]) -> dict[str, str]:
    """The two parameters that the first tie makes one: ``decoder.weight`` for ``.decoder.weight``."""
    return {"target": ties[0].target.removeprefix("."), "source": ties[0].source.removeprefix(".")}


def _spelled(place: Place, ties: list[Tie]) -> dict[str, str]:
    """The statements that tie again behind a move, and where the first is made today."""
    first = ties[0]
    return {
        "place": line_of(place.context, first.facts, first.statement),
        "ties": "\n".join(dict.fromkeys(retie.text(tie, place.root) for tie in ties)),
    }


def _name(context: Context, moved: Moved) -> str:
    """How the moved object is, or shall be, called."""
    if moved.before is not None and not isinstance(moved.statement, ast.Assign | ast.AnnAssign):
        return moved.before
    return moved.root or next((name for name in _NAMES if _is_free(context, name, moved.statement)), "model_")


_NAMES = ("model", "module", "net")


def _is_free(context: Context, name: str, statement: ast.stmt) -> bool:
    """Whether the function around a statement has nothing of this name."""
    around = context.module.function(statement) or context.module.tree
    return not any(isinstance(n, ast.Name | ast.arg) and name in (getattr(n, "id", ""), getattr(n, "arg", ""))
                   for n in ast.walk(around))  # fmt: skip


def _is_made_on_a_device(ties: Ties, owner: Class) -> bool:
    """Whether a class is told the device when an object is made, and has no need to be moved."""
    init = ties.structure.method(owner, "__init__")
    return init is not None and any(arg.arg == "device" for arg in all_parameters(init.node.args))


def _may_tie(context: Context) -> bool:
    """Whether any file that is looked at may tie something, by its text."""
    program = context.view.program
    if program.once("XP205", lambda: any(_TIES.search(program.data(file)) for file in program.files)):
        return True
    return _TIES.search(context.module.text.encode("utf-8", "replace")) is not None


def _is_moved_in_sight(context: Context, ties: Ties, owner: Class, tie: Tie) -> bool:
    """Whether a move of an object that the tie belongs to is found, where it is told or was mended."""
    return any(
        t.statement is tie.statement
        for move in outside_moves(context, owner, possible=True)
        for t in ties.of(move.instance.owner, move.instance.made)
    )
