"""Statements that do nothing but show: ``print(…)``, ``logger.info(…)``, ``writer.add_scalar(…)``."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.roles import Role

_LEVELS = ("debug", "info", "warning", "error", "critical", "log")
_FUNCTIONS = frozenset(
    {
        "builtins.print", "pprint.pprint", "wandb.log", "mlflow.log_metric", "mlflow.log_metrics",
        "sys.stdout.write", "sys.stdout.flush", "sys.stderr.write", "sys.stderr.flush",
        "tqdm.tqdm.write", "tqdm.auto.tqdm.write", "tqdm.notebook.tqdm.write",
        *(f"logging.{level}" for level in _LEVELS),
    }
)  # fmt: skip
_RUNS = {"wandb.log": ("wandb.finish",), "mlflow.log_metric": ("mlflow.end_run", "mlflow.start_run")}
_RUNS["mlflow.log_metrics"] = _RUNS["mlflow.log_metric"]
"""What ends the run that a function logs to, or begins another one."""
_OF_BARS = frozenset({"set_postfix", "set_postfix_str", "set_description", "set_description_str"})
_SHOWING = _OF_BARS | {"add_scalar", "add_scalars", "add_histogram", "add_image", "add_images", "add_text"}
"""Methods of TensorBoard's writers and of progress bars, which nothing else has."""
_WANDB = frozenset({"wandb.init"})
"""What makes an object that logs as `wandb.log()` does, ``run.log(…)``, until it ends, ``run.finish()``."""
_LOGGERS = frozenset({"logging.getLogger", "logging.Logger"})
_FILES = frozenset({"builtins.open", "csv.writer"})
_LEADING_ELSEWHERE = frozenset(
    {
        "contextlib.redirect_stdout", "contextlib.redirect_stderr", "numpy.printoptions",
        "tqdm.contrib.logging.logging_redirect_tqdm", "tqdm.contrib.logging.tqdm_logging_redirect",
    }
)  # fmt: skip
"""What says, until it ends, where something is shown, or how."""
_WRITING = ("write", "writerow", "writelines", "flush")
_MAX_DEPTH = 4


def shown(context: Context, statement: ast.stmt) -> ast.Call | None:
    """The call, if the statement does nothing but show what it is given."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return None
    call = statement.value
    if _called(context, call) in _FUNCTIONS:
        return call
    func = call.func
    if not isinstance(func, ast.Attribute):
        return None
    owner = context.flow.structure.instance_of(context.view.own, func.value)
    if func.attr in _SHOWING and (owner is None or context.flow.structure.method(owner, func.attr) is None):
        return call  # a class of the project that is a writer has it of its base
    if owner is not None:
        return None  # a class of the project may do anything
    if func.attr in _LEVELS and _is_logger(context, call, func):
        return call
    is_file = func.attr in _WRITING and (_is_made_by(context, func.value, _FILES) or opening_of(context, func.value))
    return call if is_file else None


def opening_of(context: Context, file: ast.expr) -> ast.With | None:
    """The statement, ``with open(path) as file:``, that alone opens a file, and closes it."""
    found = context.names.bindings(file) if isinstance(file, ast.Name) else ()
    around = context.module.statement(found[0].node) if len(found) == 1 else None
    items = around.items if isinstance(around, ast.With) else []
    made = next((item.context_expr for item in items if found and item.optional_vars is found[0].node), None)
    is_open = isinstance(made, ast.Call) and context.resolve(made.func) == "builtins.open"
    return around if is_open and isinstance(around, ast.With) else None


def shows_its_own_way(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement shows somewhere else, or otherwise, than it would later: ``with redirect_stdout(file):``."""
    items = (item for p in context.module.ancestors(statement) if isinstance(p, ast.With) for item in p.items)
    calls = (item.context_expr for item in items if isinstance(item.context_expr, ast.Call))
    return any(context.resolve(call.func) in _LEADING_ELSEWHERE for call in calls)


def is_of_bar(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement only says beside a progress bar what it is given: nothing is lost where the next one does."""
    call = shown(context, statement)
    return call is not None and isinstance(call.func, ast.Attribute) and call.func.attr in _OF_BARS


def may_be_ended(context: Context, call: ast.Call) -> bool:
    """Whether the file, or the run, that a call writes to may be closed before a closure writes there."""
    called = _called(context, call)
    ends = _RUNS.get(called or "", ())
    for other in context.module.calls:
        if _called(context, other) in ends:
            return True
        if called == "wandb.log" and _called(context, other) == called and _is_numbered(call, other):
            if context.loops.around(call) is not context.loops.around(other):
                return True  # it logs to the same run, whose steps have to come in order
    if called in _FUNCTIONS and called != "builtins.print":
        return False
    file = next((k.value for k in call.keywords if k.arg == "file"), None)
    if file is None and isinstance(call.func, ast.Attribute) and call.func.attr in _WRITING:
        file = call.func.value
    if file is None or (context.resolve(file) or "").startswith("sys.std"):
        return False
    return _may_be_closed(context, file)


def _called(context: Context, call: ast.Call) -> str | None:
    """The name of what is called; ``wandb.log`` for the method of a run, too."""
    func = call.func
    is_of_run = isinstance(func, ast.Attribute) and func.attr in ("log", "finish")
    if isinstance(func, ast.Attribute) and is_of_run and _is_made_by(context, func.value, _WANDB):
        return f"wandb.{func.attr}"
    return context.resolve(func)


def _is_numbered(*calls: ast.Call) -> bool:
    """``wandb.log(…, step=i)``."""
    return any(keyword.arg == "step" for call in calls for keyword in call.keywords)


def _may_be_closed(context: Context, file: ast.expr, depth: int = 0) -> bool:
    """Whether a file is closed somewhere, or may be."""
    if isinstance(file, ast.Attribute):
        return any(a.attr == "close" for mention in context.module.attributes.get(file.attr, ())
                   if isinstance(a := context.module.parents[mention], ast.Attribute))  # fmt: skip
    if not isinstance(file, ast.Name) or depth > _MAX_DEPTH:
        return True
    if not _is_made_by(context, file, _FILES):
        return True
    made = [site.node for site in context.flow.structure.made_at(context.view.own, file)]
    if any(call.args and context.resolve(call.func) == "csv.writer" for call in made):
        if any(_may_be_closed(context, call.args[0], depth + 1) for call in made):
            return True
    home = context.names.home(file)
    uses = context.names.uses(home, file.id) if home is not None else []
    return not uses or any(
        isinstance(parent := context.module.parents[use], ast.withitem)
        or (isinstance(parent, ast.Attribute) and parent.attr == "close")
        for use in uses
    )


def _is_logger(context: Context, call: ast.Call, func: ast.Attribute) -> bool:
    """A logger of `logging`; or something unknown that is given a text as a logger is: ``logger.info("…")``."""
    if _is_made_by(context, func.value, _LOGGERS):
        return True
    if func.attr == "log" or not call.args or context.roles.role(func.value) is not None:
        return False
    first = call.args[0]
    while isinstance(first, ast.BinOp):
        first = first.left
    return context.roles.is_(first, Role.TEXT)


def _is_made_by(context: Context, node: ast.expr, makers: frozenset[str]) -> bool:
    """Whether what an expression stands for is always made by one of these calls."""
    made = context.flow.structure.made_at(context.view.own, node)
    return bool(made) and all(context.of(site.facts).resolve(site.node.func) in makers for site in made)
