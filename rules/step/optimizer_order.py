"""XP203: an optimizer built before its model is moved."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import Role, dotted
from xlaport.rule import Applicability, Finding, MoveStatement, Rule

_MOVES = ("to", "cuda")


class OptimizerOrder(Rule):
    """Build the optimizer after the model is on the device.

    ## What it does
    Finds an optimizer that is made from `model.parameters()` before `model.to(device)` or `model.cuda()`, and
    moves one of the two statements where nothing in between could tell the difference. Otherwise it reports
    an error.

    ## Why
    On XLA, `model.to(device)` puts new Parameter objects into the module, where CUDA changed the old ones in
    place. The optimizer keeps the old ones: the script runs, no error appears, and nothing is trained.

    ## Example
        optimizer = torch.optim.Adam(model.parameters())
        model.to(device)

    becomes

        model.to(device)
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
            if isinstance(node, ast.Assign) and context.roles.is_(node.value, Role.OPTIMIZER):
                for model in self._models(node.value):
                    move = self._later_move(context, node, model)
                    if move is not None:
                        yield self._finding(context, node, model, move)
                        break

    def _models(self, value: ast.expr) -> list[str]:
        """The dotted names whose parameters an expression takes."""
        found = [
            path
            for call in ast.walk(value)
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in ("parameters", "named_parameters", "configure_optimizers")
            and (path := dotted(call.func.value)) is not None
        ]
        return list(dict.fromkeys(found))

    def _later_move(self, context: Context, optimizer: ast.Assign, model: str) -> ast.stmt | None:
        block = context.module.block(optimizer)
        for statement in block[block.index(optimizer) + 1 :]:
            if self._moves(context, statement, model):
                return statement
        return None

    def _moves(self, context: Context, statement: ast.stmt, model: str) -> bool:
        """``model.to(…)``, ``model = model.to(…)``, or an ``if`` that holds one."""
        if isinstance(statement, ast.If):
            return any(self._moves(context, s, model) for s in [*statement.body, *statement.orelse])
        if not isinstance(statement, ast.Expr | ast.Assign):
            return False
        call = statement.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in _MOVES:
            return False
        if call.func.attr == "to" and not self._takes_device(context, call):
            return False
        base: ast.expr = call.func.value
        if isinstance(base, ast.Call) and base.args and context.roles.is_(base, Role.MODEL):
            base = base.args[0]  # DataParallel(model).cuda()
        return dotted(base) == model

    def _takes_device(self, context: Context, call: ast.Call) -> bool:
        """A move to a device, not a change of dtype, and not to the CPU."""
        arguments = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "device")]
        for argument in arguments:
            resolved = context.resolve(argument) or ""
            if resolved.startswith("torch."):
                return False
            return not (isinstance(argument, ast.Constant) and argument.value == "cpu")
        return False

    def _finding(self, context: Context, optimizer: ast.Assign, model: str, move: ast.stmt) -> Finding:
        block = context.module.block(optimizer)
        between = block[block.index(optimizer) + 1 : block.index(move)]
        name = dotted(optimizer.targets[0]) or "the optimizer"
        why = f"{name} is built from the parameters that {model} has before it is moved in line {context.line(move)}: on XLA the move makes new parameters, so the optimizer would train nothing"
        if self._can_lift(context, optimizer, between, model, move):
            edit = MoveStatement(context.span(move), context.span(optimizer), before=True)
            return self.finding(context.span(optimizer), f"{why}; the move comes first now", edit)
        if self._can_sink(optimizer, between, move):
            edit = MoveStatement(context.span(optimizer), context.span(move))
            return self.finding(context.span(optimizer), f"{why}; it is built after the move now", edit)
        return self.finding(
            context.span(optimizer),
            f"error: {why}. What stands in between uses both, so nothing was moved: build {name} after that line",
        )

    def _can_lift(
        self, context: Context, optimizer: ast.Assign, between: list[ast.stmt], model: str, move: ast.stmt
    ) -> bool:
        """Whether the move can go above the optimizer: only optimizers in between may use the model."""
        if any(self._mentions(s, model) and not self._is_optimizer(context, s) for s in between):
            return False
        if isinstance(move, ast.If) and not all(self._moves(context, s, model) for s in [*move.body, *move.orelse]):
            return False
        needed = {n.id for n in ast.walk(move) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        return not any(self._binds(s) & needed for s in [optimizer, *between])

    def _can_sink(self, optimizer: ast.Assign, between: list[ast.stmt], move: ast.stmt) -> bool:
        """Whether the optimizer can go below the move: nothing in between may use it or what it is made of."""
        if len(optimizer.targets) != 1:
            return False
        target = dotted(optimizer.targets[0])
        if target is None:
            return False
        needed = {n.id for n in ast.walk(optimizer.value) if isinstance(n, ast.Name)}
        for statement in [*between, move]:
            if self._mentions(statement, target):
                return False
            if statement is not move and self._binds(statement) & needed:
                return False
        return True

    def _is_optimizer(self, context: Context, statement: ast.stmt) -> bool:
        return isinstance(statement, ast.Assign) and context.roles.is_(statement.value, Role.OPTIMIZER)

    def _mentions(self, statement: ast.stmt, path: str) -> bool:
        return any(dotted(n) == path for n in ast.walk(statement) if isinstance(n, ast.Name | ast.Attribute))

    def _binds(self, statement: ast.stmt) -> set[str]:
        return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)} | {
            n.name for n in ast.walk(statement) if isinstance(n, ast.FunctionDef | ast.ClassDef)
        }
