"""Models of the transformers library: it ties their weights when it makes them."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.roles import Role

from ..._lib.step.moved_objects import Moved, stripped
from ..._lib.step.moves import last_move

_MAKERS = ("from_pretrained", "from_config")
_TIED = re.compile(
    r"(Auto|[A-Z]\w*)(ForCausalLM|ForMaskedLM|ForConditionalGeneration|ForPreTraining|ForSeq2SeqLM|"
    r"LMHeadModel|DoubleHeadsModel|WithLMHead|WithLMHeadModel)"
)
"""Its classes whose output layer may be their embedding. Measured with 4.57: GPT2LMHeadModel counts one parameter more
behind a move to XLA, BertForMaskedLM two, BertModel and BertForSequenceClassification none."""


def again_behind(context: Context, moved: Moved) -> str | None:
    """What ties the weights of such a model again behind its move, in a file that trains something."""
    if moved.root is None or not isinstance(moved.statement, ast.Expr | ast.Assign | ast.AnnAssign):
        return None
    again, block = f"{moved.root}.tie_weights()", context.module.block(moved.statement)
    is_done = any(ast.unparse(statement) == again for statement in block[block.index(moved.statement) + 1 :])
    return again if not is_done and _ties_its_weights(context, stripped(moved.receiver)) else None


def _ties_its_weights(context: Context, model: ast.expr) -> bool:
    made = _made(context, model)
    if made is None or not _trains(context):
        return False
    name = context.resolve(made.func) or ""
    parts = name.split(".")
    if parts[0] != "transformers":
        return False
    owner = parts[-2] if parts[-1] in _MAKERS and len(parts) > 2 else parts[-1]
    return _TIED.fullmatch(owner) is not None


def _made(context: Context, model: ast.expr) -> ast.Call | None:
    """The call that makes what an expression holds, where it was not moved since."""
    if last_move(context, model) is not None:
        return None
    model = stripped(model)
    if isinstance(model, ast.Call):
        return model
    if not isinstance(model, ast.Name):
        return None
    found = [
        b for b in context.names.reaching(model) if not (b.value is not None and _names(stripped(b.value), model.id))
    ]
    if len(found) != 1 or found[0].how is not How.ASSIGN or found[0].value is None:
        return None
    return _made(context, found[0].value) if not isinstance(stripped(found[0].value), ast.Name) else None


def _names(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _trains(context: Context) -> bool:
    return any(
        isinstance(call.func, ast.Attribute)
        and (
            call.func.attr == "backward"
            or (call.func.attr == "step" and context.roles.is_(call.func.value, Role.OPTIMIZER))
        )
        for call in context.module.calls
    )
