"""XP203: an optimizer built before its model is moved."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, InsertStatement, Rule, Trait
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.device import placing
from ..._lib.elsewhere import line_of
from ..._lib.one_line import one_line
from ..._lib.series import series
from ..._lib.step import owned_optimizers
from ..._lib.step.asked_moves import condition
from ..._lib.step.moves import goes_to_accelerator, move_of
from ..._lib.step.optimizers import Building, built, containers, name_of, sources
from ..._lib.step.reordering import Pair, edits, first_taker, pair_of, wraps
from ..._lib.step.saying import say
from . import late_moves, unseen_optimizers
from .by_another_name import is_given_up, moved_by_another_name, perhaps_moved
from .late_moves import LateMove

_Optimizers = Mapping[Building, dict[str, ast.stmt]]
"""Each with the models whose parameters it takes, and the statements that take them."""


class OptimizerOrder(Rule):
    """Build the optimizer after the model is on the device.

    ## What it does
    Finds an optimizer that is made from `model.parameters()` before `model.to(device)` or `model.cuda()`, and moves
    one of the two statements if nothing in between could tell the difference. Where the move also wraps the model,
    the model moves by itself above. If the model is moved elsewhere (by a function that gets it, by a caller, or
    from outside of the object that builds the optimizer of its own parameters), it moves before that, under the
    same condition where there is one. That is unsafe if the program may leave the model on the CPU. Otherwise it
    reports an error. A module that builds an optimizer of its own parameters, and that no file makes, is reported
    too, and so is one that gets its optimizer from elsewhere before it is moved, or that moves by another name: an
    alias, an attribute, an item of a list, what a function returns.

    ## Why
    On a TPU, `model.to(device)` puts new Parameter objects into the module; on a GPU it changes the old ones in
    place. The optimizer keeps the old ones: the script runs, no error appears, and nothing is trained.

    ## Example
        model = nn.Linear(4, 2)
        optimizer = torch.optim.Adam(model.parameters())
        model.to(torch.device("cuda"))

    becomes

        model = nn.Linear(4, 2)
        model.to(torch.device("cuda"))
        optimizer = torch.optim.Adam(model.parameters())

    ## When it is wrong
    Where the model is rebuilt between the two statements; such code is reported, not edited.

    ## When it is left alone
    A model that is on the device when the optimizer is built, also if a function put it there; a change of the dtype
    alone; another model's optimizer; a model that is made again in between.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP205, XP208, XP102.
    """

    code = "XP203"
    name = "optimizer-before-move"
    summary = "the optimizer is built after model.to(device)"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    traits = (Trait.NEW_PARAMETERS,)
    words = ("parameters", "optim")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each optimizer that would keep the old parameters."""
        optimizers = {node: sources(context, node) for node in built(context) if not is_given_up(context, node)}
        told: set[int] = set()
        for finding in self._by_name(context, optimizers):
            told.add(finding.span.start)
            yield finding
        if not host_only.stays_on_host(context):
            yield from self._by_object(context, told)

    def _by_name(self, context: Context, optimizers: _Optimizers) -> Iterator[Finding]:
        for node, takes in optimizers.items():
            pair = next((p for model, at in takes.items() if (p := pair_of(context, node, model, at))), None)
            if pair is not None:
                yield self._finding(context, node, pair)
                continue
            move = late_moves.late_move(context, node, takes) if not host_only.stays_on_host(context) else None
            if move is not None:
                yield self._moved_elsewhere(context, node, takes, move)
            elif owned_optimizers.made_out_of_sight(context, node, list(takes)):
                if not host_only.stays_on_host(context):
                    yield self._out_of_sight(context, node, takes)
        for statement, outside in unseen_optimizers.moved_later(context):
            moved = line_of(context, *outside)
            yield self.finding(context.span(statement), say("XP203.unseen", name=name_of(statement), place=moved))

    def _by_object(self, context: Context, told: Set[int]) -> Iterator[Finding]:
        """Where the model moves by another name, or through what holds it."""
        for take, facts, move in moved_by_another_name(context):
            statement = context.module.statement(take)
            span = context.span(statement)
            if span.start not in told and not is_given_up(context, statement):
                name = name_of(statement) if isinstance(statement, Building) else one_line(context, take.func)
                yield self.finding(span, say("XP203.unseen", name=name, place=line_of(context, facts, move)))

    def check_possible(self, context: Context) -> Iterator[Finding]:
        """Yield one for each optimizer whose model may move later: nobody can see what a later move moves."""
        if host_only.stays_on_host(context):
            return
        for take, facts, move in perhaps_moved(context):
            statement = context.module.statement(take)
            if isinstance(statement, Building):
                if late_moves.late_move(context, statement, sources(context, statement)) is not None:
                    continue
            name = name_of(statement) if isinstance(statement, Building) else one_line(context, take.func)
            moved = ast.unparse(move.func.value) if isinstance(move.func, ast.Attribute) else ast.unparse(move)
            text = say("XP203.possible", name=name, place=line_of(context, facts, move), moved=moved)
            yield self.finding(context.span(statement), text)

    # -- findings --------------------------------------------------------------------------------------

    def _finding(self, context: Context, optimizer: Building, pair: Pair) -> Finding:
        if wraps(context, pair):
            return self._alone(context, optimizer, pair)
        changes = edits(context, pair)
        if changes:
            text = say("XP203.first", name=name_of(optimizer), move=f"moving `{pair.model}`")
        else:
            line = context.line(pair.move)
            text = say("XP203.between", name=name_of(optimizer), model=pair.model, line=line)
        return self.finding(context.span(optimizer), text, *changes)

    def _alone(self, context: Context, optimizer: Building, pair: Pair) -> Finding:
        """The model moves by itself, above: its later move wraps it, too."""
        call = move_of(context, pair.move, pair.model)
        is_sure = call is not None and goes_to_accelerator(context, call)
        device, imports = placing.device(context, optimizer)
        return self.finding(
            context.span(optimizer),
            _moved_first(name_of(optimizer), f"moving `{pair.model}`", is_sure),
            *_inserted(context, {pair.model: (f"{pair.model}.to({device})", first_taker(context, pair))}),
            imports=imports,
            applicability=Applicability.SAFE if is_sure else Applicability.UNSAFE,
        )

    def _out_of_sight(self, context: Context, optimizer: Building, models: dict[str, ast.stmt]) -> Finding:
        device, _ = placing.device(context, optimizer)
        places: dict[ast.stmt, list[str]] = {}
        for model, at in sorted(models.items(), key=lambda item: item[1].lineno):
            places.setdefault(at, []).append(f"{model}.to({device})")
        moves = series(
            f"`{'; '.join(moved)}` above {'this line' if at is optimizer else f'line {context.line(at)}'}"
            for at, moved in places.items()
        )
        return self.finding(context.span(optimizer), say("XP203.unmade", name=name_of(optimizer), moves=moves))

    def _moved_elsewhere(
        self, context: Context, optimizer: Building, takes: dict[str, ast.stmt], late: LateMove
    ) -> Finding:
        """The model moves behind the optimizer, in another function or by another name: it moves before that, too."""
        name, span = name_of(optimizer), context.span(optimizer)
        several = [path for taking in {optimizer, *takes.values()} for path in containers(context, taking)]
        model = next((model for model in late.models if model in several), late.models[0])
        move = f"moving `{model}` in {line_of(context, late.facts, late.call)}"
        if model in several or not late.is_idle:
            what = f"each of `{model}`" if model in several else f"`{model}`"
            return self.finding(span, say("XP203.handed", name=name, move=move, what=what))
        first = min((takes[model] for model in late.models), key=lambda statement: statement.lineno)
        same = late_moves.device_of(context, late, first)
        device, imports = (same, ()) if same is not None else placing.device(context, optimizer)
        asked = condition(context, late.at, first) if late.at is not None else ""
        lines = (f"if {asked}:\n    {{}}.to({device})" if asked else f"{{}}.to({device})").format
        is_sure = late.is_sure or (same is not None and not late.is_asked)
        return self.finding(
            span,
            _moved_first(name, move, is_sure and (bool(asked) or not late.is_asked)),
            *_inserted(context, {model: (lines(model), takes[model]) for model in late.models}),
            imports=imports,
            applicability=Applicability.SAFE if is_sure and (asked or not late.is_asked) else Applicability.UNSAFE,
        )


def _moved_first(name: str, move: str, is_sure: bool) -> Text:
    """What is said of a move that now comes first."""
    if is_sure:
        return say("XP203.first", name=name, move=move)
    return say("XP203.first_unsafe", name=name, move=move)


def _inserted(context: Context, moves: dict[str, tuple[str, ast.stmt]]) -> list[InsertStatement]:
    """The moves of some models, each above the statement that takes its parameters."""
    places: dict[ast.stmt, list[str]] = {}
    for text, at in moves.values():
        places.setdefault(at, []).append(text)
    return [InsertStatement(context.span(at), "\n".join(texts), before=True) for at, texts in places.items()]
