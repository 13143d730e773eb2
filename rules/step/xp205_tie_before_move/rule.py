"""XP205: parameters that are tied before they are moved."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.analysis.events import objects_of
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.value import TENSOR, UNKNOWN
from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, InsertStatement, MoveStatement, Rule, Trait

from ..._lib import host_only
from ..._lib.elsewhere import line_of
from ..._lib.step import changing_places
from ..._lib.step.moved_objects import Moved, moved_by
from ..._lib.step.moves import is_move
from ..._lib.step.saying import say
from . import library_ties, outside_ties, tied_again
from .class_ties import shared_by_all, tied_out_of_sight
from .untied import Untied, may_tie, perhaps_untied, untied


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

    With `--unsafe`, so is what may be such a model: where it is another object without these parameters, that raises.

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
    traits = (Trait.NEW_PARAMETERS,)
    words = (".to(", ".cuda(", ".weight", "Parameter")
    across = (".to(", ".cuda(")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each move that takes parameters apart, and for each tie whose move is out of sight."""
        if host_only.stays_on_host(context):
            return
        apart = outside_ties.outside_ties(context)
        for tie in apart:
            yield from self._outside(context, tie)
        of_moves, told = untied(context), {tie.statement for tie in apart}
        for call in context.module.calls:
            every = [one for one in of_moves.get(call, ()) if not told & {*_statements(one)}]
            if every or (call not in of_moves and _may_move(context, call)):
                moved = moved_by(context, call)
                found = self._finding(context, moved, every) if every else self._unseen(context, moved)
                if found is not None and not changing_places.will_move(context, moved.statement):
                    yield found  # it may be in order after that, otherwise
        for statement, kept, name, way in shared_by_all(context):
            yield self.finding(context.span(statement), say("XP205.class", kept=kept, name=name, way=way))
        for statement, name, one in tied_out_of_sight(context):
            text = say("XP205.out_of_sight", name=name, tie=tied_again.line(one, "model"), **_named(one))
            yield self.finding(context.span(statement), text)

    def _finding(
        self, context: Context, moved: Moved, every: Sequence[Untied], certain: Applicability = Applicability.SAFE
    ) -> Finding:
        span, edits = context.span(moved.call), tied_again.edits(context, moved, every)
        if not every[0].target:
            return self.finding(span, say("XP205.unseen", place=line_of(context, every[0].facts, every[0].node)))
        if edits:
            return self.finding(span, say("XP205.again", **_named(every[0])), *edits, applicability=certain)
        return self.finding(span, say("XP205.by_hand", **_named(every[0]), **_spelled(context, moved, every)))

    def _unseen(self, context: Context, moved: Moved) -> Finding | None:
        """The move of what nobody is seen to make: a model of a library, or what may be one of the program."""
        span, analysis = context.span(moved.call), analysis_of(context.view.own)
        again = library_ties.again_behind(context, moved)
        if again is not None:
            insert = InsertStatement(context.span(moved.statement), again)
            return self.finding(span, say("XP205.library", again=again), insert)
        value = analysis.value_at(moved.receiver) or UNKNOWN
        found = perhaps_untied(context, moved.call) if may_tie(analysis) and not objects_of(value) else None
        if found is None or value.type is found[0]:
            return self._finding(context, moved, found[1], Applicability.UNSAFE) if found is not None else None
        if tied_again.is_written(context, moved, found[1]):
            return None
        told = {"name": found[0].node.name, **_named(found[1][0])}
        edits = tied_again.edits(context, moved, [one._replace(is_sure=False) for one in found[1]])
        if edits:
            return self.finding(span, say("XP205.perhaps", **told), *edits, applicability=Applicability.UNSAFE)
        return self.finding(span, say("XP205.possible", **told, **_spelled(context, moved, found[1])))

    def _outside(self, context: Context, tie: outside_ties.OutsideTie) -> Iterator[Finding]:
        span, at = context.span(tie.statement), context.span(tie.pair.move)
        if changing_places.will_move(context, tie.pair.move):
            return
        if tie.can_sink:
            yield self.finding(span, say("XP205.outside", root=tie.pair.model), MoveStatement(span, at))
        elif tie.can_repeat:
            yield self.finding(span, say("XP205.outside", root=tie.pair.model), InsertStatement(at, tie.says))
        else:
            line = context.line(tie.pair.move)
            yield self.finding(span, say("XP205.repeat", root=tie.pair.model, line=line, tie=tie.says))


def _may_move(context: Context, call: ast.Call) -> bool:
    """Whether a call may move a module of which nothing is known."""
    if not is_move(context, call) or not context.editable(call) or not isinstance(call.func, ast.Attribute):
        return False
    return (analysis_of(context.view.own).value_at(call.func.value) or UNKNOWN).type != TENSOR


def _statements(one: Untied) -> Iterator[ast.stmt]:
    """The statement that ties two parameters, and the branch around it."""
    statement = one.facts.module.statement(one.node)
    yield statement
    parent = one.facts.module.parents[statement]
    if isinstance(parent, ast.If):
        yield parent


def _named(one: Untied) -> dict[str, str]:
    """The two parameters that are one: ``decoder.weight`` for ``.decoder.weight``."""
    return {"target": one.target.removeprefix("."), "source": one.source.removeprefix(".")}


def _spelled(context: Context, moved: Moved, every: Sequence[Untied]) -> dict[str, str]:
    """The statements that tie again behind a move, and where the first is made today."""
    root = tied_again.name_of(context, moved) + moved.inside
    ties = dict.fromkeys(tied_again.line(one, root) for one in every if one.target)
    return {"place": line_of(context, every[0].facts, every[0].node), "ties": "\n".join(ties)}
