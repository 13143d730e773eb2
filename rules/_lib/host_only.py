"""Programs that use no accelerator, which have nothing to port."""

from __future__ import annotations

import ast
import re
from pathlib import PurePath

from xlaport.context import Context
from xlaport.facts.host_code import host_code_of, seeds_only
from xlaport.facts.import_graph import reached
from xlaport.facts.main_guards import is_main_guard
from xlaport.facts.module import FunctionNode, imported_modules
from xlaport.facts.names import Names
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role
from xlaport.facts.used_code import ACCELERATOR, imports_placing_package, used, words

from .exporting import is_choice
from .loaded_on_host import plays_on_host
from .main_guard import main_guard
from .never_placed import runs_what_it_makes

_ACCELERATOR = re.compile(rf"{ACCELERATOR}|distributed", re.IGNORECASE)
_MAY_BE_ONE = re.compile("cuda|gpu|device|accelerat|xla|mps|hpu|xpu|DataParallel|distributed", re.IGNORECASE)
"""What is in each text that `_ACCELERATOR` matches, wherever a word begins."""
_EXPORTING = frozenset({"torch.onnx.export", "torch.onnx.dynamo_export"})
_MAY_SEED = re.compile(r"manual_seed")
_VISIBLE = "CUDA_VISIBLE_DEVICES"
_NO_GPU = ("", "-1")
_NEW = frozenset(f"torch.{name}" for name in "rand randn randint zeros ones empty full normal eye arange".split())


def stays_on_host(context: Context) -> bool:
    """Whether the file builds and runs its own model, or tests, and never speaks of a device: it runs on the CPU.

    A file that gets its model from elsewhere, or hands it on, may well run on an accelerator; but not a script that
    takes no more than a class from another file, and functions, all of which speak of none. A test makes its own
    inputs.
    """
    return context.view.own.once("stays on the host", lambda: _stays(context))


def runs_on_host(context: Context, node: ast.AST) -> bool:
    """Whether a place in a file runs on the CPU, as its self-test may, whatever the rest of the file does."""
    return host_code_of(context.view.own).runs(node) or stays_on_host(context)


def seeds_a_gpu_it_does_not_use(context: Context, node: ast.AST) -> bool:
    """Whether code belongs to a program for the CPU that says nothing of a GPU but that it seeds one."""
    if host_code_of(context.view.own).runs(node):
        return True
    return context.view.own.once("only seeds", lambda: _only_seeds(context)) and stays_on_host(context)


def _stays(context: Context) -> bool:
    if _hides_accelerators(context) or host_code_of(context.view.own).is_all:
        return True
    if is_test(context):
        return not any(
            _ACCELERATOR.search(w) for n in context.module.nodes if not _is_told(context, n) for w in words(n)
        )
    if plays_on_host(context):
        return True
    if speaks_of_device(context) and not _only_seeds(context):
        return runs_what_it_makes(context)
    if _converts_files(context):
        return True
    if not context.loops.steps_anywhere:
        return False
    return (_builds_model(context) and not _serves_a_device(context)) or _builds_imported_model(context)


def _serves_a_device(context: Context) -> bool:
    """Whether a file that imports this one, at any distance, may hand its functions tensors of a device."""
    if not context.view.importers:
        return False
    graph, own = context.view.program.graph, context.view.own
    others = (context.view.facts(file) for file in reached([own.file], graph.imported_by) if file != own.file)
    return any(facts is not None and speaks_of_device(context.of(facts)) for facts in others)


def speaks_of_device(context: Context) -> bool:
    """Whether the file mentions an accelerator, or a library that chooses one."""
    return context.view.own.once("speaks of a device", lambda: _speaks_of_device(context))


def _speaks_of_device(context: Context) -> bool:
    module = context.module
    if any(_mentions(context.names, node) for node in module.of_type(ast.Import, ast.ImportFrom)):
        return True
    methods = (module.parents[node] for node in module.attributes.get("to", ()))
    if any(isinstance(call, ast.Call) and _mentions(context.names, call) for call in methods):
        return True
    return _names_accelerator(context)


def _only_seeds(context: Context) -> bool:
    """Whether a script that nobody imports speaks of a GPU only to seed it, and nothing that it uses speaks of one."""
    if context.view.importers or not _MAY_SEED.search(context.module.text):
        return False
    seeds = {n for s in context.module.of_type(ast.Expr, ast.If) if seeds_only(context.names, s) for n in ast.walk(s)}
    if not seeds or any(_mentions(context.names, n) for n in context.module.nodes if n not in seeds):
        return False
    return not any(_mentions(facts.names, n) for facts, node in used(context.view.own) for n in ast.walk(node))


def _names_accelerator(context: Context) -> bool:
    """Whether a name or a short text of the file is that of an accelerator."""
    if not _MAY_BE_ONE.search(context.module.text):
        return False
    return any(_ACCELERATOR.search(word) for word in {w for node in context.module.nodes for w in words(node)})


def _is_told(context: Context, node: ast.AST) -> bool:
    """What says nothing of where a test runs: its own name, the name of an argument, ``device=x.device``."""
    if isinstance(node, ast.FunctionDef):
        return node.name.startswith("test")
    is_read = isinstance(node, ast.Attribute) and node.attr == "device"
    return isinstance(node, ast.keyword) or (is_read and isinstance(context.module.parents[node], ast.keyword))


def is_test(context: Context) -> bool:
    """Whether a file holds tests: it imports what runs tests, or is one that pytest finds, and no program."""
    modules = (
        module
        for node in context.module.tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for module in imported_modules(node)
    )
    return any(module in ("pytest", "unittest") for module in modules) or _is_collected(context)


def _is_collected(context: Context) -> bool:
    """Whether pytest runs what a file defines: ``def test_loss():``, which nothing calls, in ``test_loss.py``.

    In a folder ``tests``, what calls it is no program, either.
    """
    stem = PurePath(context.view.own.file or "").stem
    if not stem.startswith("test_") and not stem.endswith("_test"):
        return False
    # In a folder of tests, a program is one that runs them.
    in_tests = PurePath(context.view.own.file or "").parent.name == "tests"
    if main_guard(context) is not None and not in_tests:
        return False
    tops = context.module.tree.body
    functions = [s for s in tops if isinstance(s, FunctionNode) and s.name.startswith("test")]
    return any(isinstance(s, ast.ClassDef) and s.name.startswith("Test") for s in tops) or any(
        in_tests or not context.roles.calls_to(function) for function in functions
    )


def _hides_accelerators(context: Context) -> bool:
    """Whether a script sees no GPU, ``os.environ["CUDA_VISIBLE_DEVICES"] = "-1"``, and all that import it see none.

    What stands at the top of a file hides them from those that import it, too, where they do not say otherwise.
    """
    own = context.view.own
    if not _hides(own):
        return False
    at_top = any(context.module.statement(node) in context.module.tree.body for node in _hiding(own))
    others = (context.view.facts(file) for file in context.view.importers)
    return all(o is not None and (_hides(o) or (at_top and _VISIBLE not in o.module.text)) for o in others)


def _hides(facts: Facts) -> bool:
    return bool(_hiding(facts))


def _hiding(facts: Facts) -> list[ast.Assign]:
    return [
        node
        for node in facts.module.of_type(ast.Assign)
        if isinstance(node.value, ast.Constant)
        and node.value.value in _NO_GPU
        and isinstance(target := node.targets[0], ast.Subscript)
        and facts.names.resolve(target.value) == "os.environ"
        and isinstance(target.slice, ast.Constant)
        and target.slice.value == _VISIBLE
        and all(is_main_guard(p) for p in facts.module.ancestors(node) if isinstance(p, ast.If))
    ]


def _converts_files(context: Context) -> bool:
    """Whether a script that nobody imports exports a model, or loads only with ``torch.load(…, map_location="cpu")``.

    What it exports is traced where it lies.
    """
    if context.view.is_alone or context.view.importers:
        return False
    exports = any(context.resolve(c.func) in _EXPORTING and not is_choice(context, c) for c in context.module.calls)
    loads = [call for call in context.module.calls if context.resolve(call.func) == "torch.load"]
    places = [next((k.value for k in call.keywords if k.arg == "map_location"), None) for call in loads]
    to_host = bool(places) and all(isinstance(place, ast.Constant) and place.value == "cpu" for place in places)
    return (exports or to_host) and not context.loops.steps_anywhere


def _builds_model(context: Context) -> bool:
    built = (call for call in context.module.calls if _is_model(context, call) or _is_weight(context, call))
    return any(not _is_part(context, call) for call in built)


def _is_weight(context: Context, call: ast.Call) -> bool:
    """``torch.randn(100, 10, requires_grad=True)``, ``Variable(torch.zeros(8), requires_grad=True)``: weights that a
    script makes of nothing, without a module.
    """
    learns = any(
        k.arg == "requires_grad" and isinstance(k.value, ast.Constant) and k.value.value is True for k in call.keywords
    )
    is_wrapped = context.resolve(call.func) == "torch.autograd.Variable"
    made = (part for given in call.args for part in ast.walk(given)) if is_wrapped else (call,)
    return learns and any(isinstance(part, ast.Call) and context.resolve(part.func) in _NEW for part in made)


def _is_model(context: Context, call: ast.Call) -> bool:
    owner = context.names.class_named(call.func)
    if owner is not None:
        return context.roles.is_module_class(owner)
    name = context.resolve(call.func) or ""
    return name.startswith(("torch.nn.", "torchvision.models.")) and context.roles.is_(call, Role.MODEL)


def _is_part(context: Context, call: ast.Call) -> bool:
    """A layer of a module, or a loss: no model of its own."""
    owner = context.module.class_of(call)
    if owner is not None and context.roles.is_module_class(owner):
        return True
    return isinstance(call.func, ast.Name | ast.Attribute) and (context.resolve(call.func) or "").endswith("Loss")


def _builds_imported_model(context: Context) -> bool:
    """Whether a script that nobody imports builds a model of another file, and uses nothing that speaks of a device."""
    if context.view.is_alone or context.view.importers:
        return False
    own, structure = context.view.own, context.flow.structure
    classes = (structure.class_named(own, call.func) for call in context.module.calls)
    if not any(c is not None and c.facts is not own and structure.is_module(c) for c in classes):
        return False
    return not any(_mentions(facts.names, n) for facts, node in used(context.view.own) for n in ast.walk(node))


def _mentions(names: Names, node: ast.AST) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return imports_placing_package(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to":
        given = node.args[0] if node.args else None
        return not (given is not None and (names.resolve(given) or "").startswith("torch."))
    return any(_ACCELERATOR.search(word) for word in words(node))
