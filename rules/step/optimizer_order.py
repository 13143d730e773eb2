"""XP203: an optimizer built before its model is moved."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.roles import Role, dotted
from xlaport.rule import Applicability, Edit, Finding, InsertStatement, MoveStatement, Rule

from ..device import placing
from . import handed_models, owned_optimizers
from .moves import moves

_PARAMETERS = ("parameters", "named_parameters", "configure_optimizers")

_SAME_ANYWHERE = ("load_state_dict", "train", "eval", "zero_grad", "requires_grad_")
"""Methods of a model that do the same before and after a move."""


@dataclass(frozen=True)
class _Pair:
    """An optimizer and the later move of its model, seen from the block in which the move stands."""

    optimizer: ast.Assign | ast.AnnAssign
    model: str
    first: ast.stmt
    """The statement of that block that holds what first takes the parameters."""
    between: list[ast.stmt]
    """What stands between the first statement and the move."""
    move: ast.stmt


class OptimizerOrder(Rule):
    """Build the optimizer after the model is on the device.

    ## What it does
    Finds an optimizer that is made from `model.parameters()` before `model.to(device)` or `model.cuda()`, and
    moves one of the two statements where nothing in between could tell the difference. Otherwise it reports
    an error, also where an object builds the optimizer of its own parameters and is moved afterwards.

    ## Why
    On XLA, `model.to(device)` puts new Parameter objects into the module, where CUDA changed the old ones in
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
    """

    code = "XP203"
    name = "optimizer-before-move"
    summary = "the optimizer is built after model.to(device)"
    applicability = Applicability.SAFE
    words = ("parameters",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each optimizer that would keep the old parameters."""
        for node in context.module.nodes:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or not self._is_optimizer(context, node):
                continue
            sources = self._sources(context, node)
            pairs = (
                pair for model, at in sources.items() if (pair := self._pair(context, node, model, at)) is not None
            )
            pair = next(pairs, None)
            if pair is not None:
                yield self._finding(context, pair)
                continue
            move = owned_optimizers.moved_from_outside(context, node, list(sources))
            if move is not None:
                yield self._owned(context, node, move)
            else:
                yield from self._moved_elsewhere(context, node, list(sources))

    # -- optimizers and where their parameters come from -----------------------------------------------

    def _is_optimizer(self, context: Context, statement: ast.stmt) -> bool:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            return False
        values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
        if any(context.roles.is_(value, Role.OPTIMIZER) for value in values):
            return True
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        return isinstance(statement.value, ast.Call) and context.roles.is_(target, Role.OPTIMIZER)

    def _sources(self, context: Context, optimizer: ast.Assign | ast.AnnAssign) -> dict[str, ast.stmt]:
        """The models whose parameters an optimizer gets, each with the statement that first takes them."""
        found: dict[str, ast.stmt] = dict.fromkeys(self._models(optimizer), optimizer)
        assert optimizer.value is not None
        lists = {
            n.id
            for n in ast.walk(optimizer.value)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id not in found
        }
        # `params = [p for p in model.parameters() …]`, or a loop that appends to it, before the optimizer.
        for statement in self._before(context, optimizer):
            if lists & (self._binds(statement) | self._changes(statement)):
                for model in self._models(statement):
                    found.setdefault(model, statement)
        return found

    def _models(self, statement: ast.AST) -> list[str]:
        """The dotted names whose parameters a statement takes: `net` for ``net[0].parameters()``."""
        found: list[str] = []
        for call in ast.walk(statement):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _PARAMETERS:
                base = call.func.value
                while isinstance(base, ast.Subscript):
                    base = base.value
                path = dotted(base)
                if path is not None and path not in found:
                    found.append(path)
        return found

    def _before(self, context: Context, statement: ast.stmt) -> list[ast.stmt]:
        block = context.module.block(statement)
        return block[: block.index(statement)]

    # -- moves -----------------------------------------------------------------------------------------

    def _pair(
        self, context: Context, optimizer: ast.Assign | ast.AnnAssign, model: str, source: ast.stmt
    ) -> _Pair | None:
        """The optimizer with the first move of its model behind it, in its block or in one around it."""
        first = source
        while True:
            block = context.module.block(first)
            index = block.index(first)
            if any(moves(context, s, model) for s in block[:index]):
                return None  # moved before: what follows moves it to where it is
            for position in range(index + 1, len(block)):
                statement = block[position]
                if moves(context, statement, model):
                    return _Pair(optimizer, model, first, block[index + 1 : position], statement)
                if self._rebinds(statement, model):
                    return None
            parent = context.module.parents[first]
            if not isinstance(parent, ast.If | ast.With | ast.Try):
                return None
            first = parent

    def _rebinds(self, statement: ast.stmt, model: str) -> bool:
        """``model = Net()``: from here on the name stands for another model."""
        if not isinstance(statement, ast.Assign):
            return False
        takes = any(dotted(n) == model for n in ast.walk(statement.value))
        return not takes and any(dotted(t) == model for t in statement.targets)

    # -- findings --------------------------------------------------------------------------------------

    def _finding(self, context: Context, pair: _Pair) -> Finding:
        name = self._name(pair.optimizer)
        span = context.span(pair.optimizer)
        why = (
            f"{name} is built before line {context.line(pair.move)} moves {pair.model}: on XLA the move makes new "
            f"parameters, so {name} would train the old ones, and the model would learn nothing"
        )
        anchor = self._first_taker(context, pair)
        lifted = self._lifted(context, pair)
        if lifted is None and self._can_sink(context, pair):
            edit: Edit = MoveStatement(span, context.span(pair.move))
            return self.finding(span, f"{why}; it is built after the move now", edit)
        if lifted is not None:
            edits = [MoveStatement(context.span(s), context.span(anchor), before=True) for s in lifted]
            return self.finding(span, f"{why}; the move comes first now", *edits)
        return self.finding(
            span, f"error: {why}. What stands in between uses both, so nothing was changed: build {name} after the move"
        )

    def _owned(self, context: Context, optimizer: ast.Assign | ast.AnnAssign, move: ast.Call) -> Finding:
        name = self._name(optimizer)
        function = context.module.function(optimizer)
        owner = context.module.class_of(optimizer)
        recipe = f"Move them in __init__ before {name} is built"
        if function is not None and owner is not None and any(a.arg == "device" for a in function.args.args):
            recipe = f"Pass device to {owner.name}() in the place of the move"
        return self.finding(
            context.span(optimizer),
            f"error: {name} is built before line {context.line(move)} moves its parameters: on XLA the move makes new "
            f"ones, so {name} would train the old ones, and nothing would be learned. {recipe}, or build {name} after "
            "the move",
        )

    def _name(self, optimizer: ast.Assign | ast.AnnAssign) -> str:
        target = optimizer.targets[0] if isinstance(optimizer, ast.Assign) else optimizer.target
        return dotted(target) or "the optimizer"

    def _moved_elsewhere(
        self, context: Context, optimizer: ast.Assign | ast.AnnAssign, models: list[str]
    ) -> Iterator[Finding]:
        """A function gets the model after the optimizer was built, and moves it."""
        block = context.module.block(optimizer)
        for model in models:
            if any(moves(context, s, model) for s in block[: block.index(optimizer)]):
                return
            later = handed_models.later_move(context, optimizer, model)
            if later is None:
                continue
            name, span = self._name(optimizer), context.span(optimizer)
            why = (
                f"{name} is built before {later.function}() moves {model} in {later.place}: on XLA the move makes new "
                f"parameters, so {name} would train the old ones, and the model would learn nothing"
            )
            if not later.is_first:
                yield self.finding(span, f"error: {why}. Move {model} to the device before this line")
                return
            device, imports = placing.device(context, optimizer)
            yield self.finding(
                span,
                f"{why}; {model} moves before that now",
                InsertStatement(span, f"{model}.to({device})", before=True),
                imports=imports,
                applicability=Applicability.SAFE if later.is_sure else Applicability.UNSAFE,
            )
            return

    # -- what may change places ------------------------------------------------------------------------

    def _first_taker(self, context: Context, pair: _Pair) -> ast.stmt:
        """The first statement of the block that builds an optimizer for the same model: the move goes above it."""
        block = context.module.block(pair.first)
        for statement in block[: block.index(pair.first)]:
            if self._is_optimizer(context, statement) and pair.model in self._models(statement):
                return statement
        return pair.first

    def _lifted(self, context: Context, pair: _Pair) -> list[ast.stmt] | None:
        """The statements to lift above the optimizer: the move, and assignments it needs; None if impossible."""
        if isinstance(pair.move, ast.If) and not all(
            moves(context, s, pair.model) for s in [*pair.move.body, *pair.move.orelse]
        ):
            return None
        lifted: list[ast.stmt] = [pair.move]
        needed = self._loads(pair.move)
        for index in range(len(pair.between) - 1, -1, -1):
            statement = pair.between[index]
            if self._binds(statement) & needed:
                earlier = [pair.first, *pair.between[:index]]
                if not self._is_plain(statement) or any(self._binds(statement) & self._names(s) for s in earlier):
                    return None
                lifted.insert(0, statement)
                needed |= self._loads(statement)
        staying = [pair.first, *(s for s in pair.between if s not in lifted)]
        if any(self._binds(s) & needed for s in staying):
            return None
        for part in [p for s in staying for p in self._parts(s)]:
            if self._mentions(part, pair.model) and not self._only_takes(context, part, pair.model):
                return None
        return lifted

    def _is_plain(self, statement: ast.stmt) -> bool:
        """``device = torch.device("cuda")``: an assignment to one name whose value does nothing else."""
        return (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
            and all(
                dotted(n.func) is not None and len(n.args) <= 2
                for n in ast.walk(statement.value)
                if isinstance(n, ast.Call)
            )
        )

    def _only_takes(self, context: Context, statement: ast.stmt, model: str) -> bool:
        """Whether a statement does no more with the model than hand its parameters to an optimizer or a list."""
        if self._is_optimizer(context, statement):
            return True
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return dotted(statement.value.func) in {f"{model}.{method}" for method in _SAME_ANYWHERE}
        return model in self._models(statement) and isinstance(statement, ast.Assign | ast.AnnAssign | ast.For)

    def _parts(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements inside an ``if`` or ``with``, so that each is judged by itself."""
        if isinstance(statement, ast.If | ast.With | ast.Try):
            return [
                part
                for inner in ast.iter_child_nodes(statement)
                if isinstance(inner, ast.stmt)
                for part in self._parts(inner)
            ]
        return [statement]

    def _can_sink(self, context: Context, pair: _Pair) -> bool:
        """Whether the optimizer can go below the move: nothing in between may use it or what it is made of."""
        optimizer = pair.optimizer
        if pair.first is not optimizer or (isinstance(optimizer, ast.Assign) and len(optimizer.targets) != 1):
            return False
        target = dotted(optimizer.targets[0] if isinstance(optimizer, ast.Assign) else optimizer.target)
        assert optimizer.value is not None
        needed = {n.id for n in ast.walk(optimizer.value) if isinstance(n, ast.Name)}
        if target is None:
            return False
        filters = "requires_grad" in context.module.segment(optimizer)
        for statement in [*pair.between, pair.move]:
            if self._mentions(statement, target):
                return False
            if filters and "requires_grad" in context.module.segment(statement):
                return False
            if statement is not pair.move and (self._binds(statement) | self._changes(statement)) & needed:
                return False
        return True

    def _mentions(self, statement: ast.AST, path: str) -> bool:
        return any(dotted(n) == path for n in ast.walk(statement) if isinstance(n, ast.Name | ast.Attribute))

    def _names(self, statement: ast.stmt) -> set[str]:
        return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}

    def _loads(self, statement: ast.stmt) -> set[str]:
        return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}

    def _binds(self, statement: ast.stmt) -> set[str]:
        return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)} | {
            n.name for n in ast.walk(statement) if isinstance(n, ast.FunctionDef | ast.ClassDef)
        }

    def _changes(self, statement: ast.stmt) -> set[str]:
        """The names whose objects a statement changes: ``net.fc = …``, ``params.append(…)``, ``params += …``."""
        found: set[str] = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                changed: ast.expr = node.func.value if node.func.attr in ("append", "extend", "insert") else node
            elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                changed = node
            else:
                continue
            while isinstance(changed, ast.Attribute | ast.Subscript):
                changed = changed.value
            if isinstance(changed, ast.Name):
                found.add(changed.id)
        return found
