"""Calls of loggers that read the tensors they get: TensorBoard's writers, Weights & Biases, logging, progress bars."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.facts.names import Names

_VALUES = {
    "add_scalar": "scalar_value",
    "add_scalars": "tag_scalar_dict",
    "add_histogram": "values",
    "add_image": "img_tensor",
    "add_images": "img_tensor",
}
"""The methods of a `SummaryWriter` that make an array of a tensor, and the name of their second parameter."""
_FUNCTIONS = {"wandb.log": 0, "mlflow.log_metric": 1, "mlflow.log_metrics": 0}
"""Functions that make a number of a tensor, and which argument holds it."""
_BARS = frozenset({"set_postfix", "set_postfix_str"})
_LEVELS = frozenset({"info", "warning", "error", "critical"})
"""Levels that are shown, unless the program says otherwise; ``debug`` is not."""


def logged(names: Names, call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """The values that a call of a logger would read if they are tensors, each with a name for the call."""
    function = names.resolve(call.func)
    if function in _FUNCTIONS:
        if len(call.args) > _FUNCTIONS[function]:
            yield from ((value, f"{function}()") for value in _in(call.args[_FUNCTIONS[function]]))
    elif isinstance(call.func, ast.Attribute) and call.func.attr in _VALUES:
        method = call.func.attr
        given = call.args[1:2] or [k.value for k in call.keywords if k.arg == _VALUES[method]]
        yield from ((value, f"{method}()") for part in given for value in _in(part))
    elif isinstance(call.func, ast.Attribute) and call.func.attr in _BARS:
        given = [*call.args, *(k.value for k in call.keywords)]
        yield from ((value, f"{call.func.attr}()") for part in given for value in _in(part))
    elif isinstance(call.func, ast.Attribute) and call.func.attr in _LEVELS and _is_template(call):
        yield from ((value, f"{call.func.attr}()") for value in call.args[1:])


def _in(node: ast.expr) -> list[ast.expr]:
    """The values of a dict that is written out, or the value itself."""
    if isinstance(node, ast.Dict):
        return node.values
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        return [keyword.value for keyword in node.keywords]
    return [node]


def _is_template(call: ast.Call) -> bool:
    """``logger.info("loss %f", loss)``: what the text has no place for would be an error."""
    first = call.args[0] if call.args else None
    return isinstance(first, ast.Constant) and isinstance(first.value, str) and "%" in first.value
