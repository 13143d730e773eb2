"""What the installed torch and torch_xla say of the catalogue: a program for a process of its own, prints JSON.

`tests/device/test_catalogue.py` starts it on XLA:CPU, with no NVIDIA GPU to be seen, and judges what it prints.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import json
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import torch
import torch_xla

from rules._lib.catalogue import Answer, Entry, Kind, catalogue
from xlaport.targets.known import target

ROOTS = (
    "torch.cuda",
    "torch.backends.cuda",
    "torch.backends.cudnn",
    "torch.backends.cusparselt",
    "torch.accelerator",
    "torch.amp",
)
OF_CUDA = re.compile(r"cuda|cudnn|cusparselt|nccl|nvtx|gpu|(?<!s)pin_memory|is_pinned|record_stream", re.IGNORECASE)

# -- the public names ----------------------------------------------------------------------------------


def public_names() -> Iterator[str]:
    """The public names of the installed torch that belong to CUDA."""
    for root in ROOTS:
        for module in _modules(root):
            yield module
            for name in _names(module):
                yield f"{module}.{name}"
    for name in ("torch.backends.cudnn", "torch.backends.cudnn.conv", "torch.backends.cudnn.rnn"):
        owner = importlib.import_module(name) if name != "torch.backends.cudnn.conv" else torch.backends.cudnn.conv
        yield from (f"{name}.{switch}" for switch in vars(type(owner)) if not switch.startswith("_"))
    yield from (f"torch.backends.cuda.matmul.{switch}" for switch in _switches(torch.backends.cuda.cuBLASModule))
    for legacy in (*torch._tensor_classes, *torch._storage_classes):
        name = f"{legacy.__module__}.{legacy.__name__}"
        if name.startswith("torch.cuda"):
            yield name
    for name in ("torch", "torch.Tensor", "torch.nn.Module", "torch.version", "torch.distributed"):
        owner = _value(name)
        members = [m for m in dir(owner) if OF_CUDA.search(m) and (not m.startswith("_") or m.endswith("interface__"))]
        yield from (f"{name}.{m}" for m in members if not isinstance(getattr(owner, m), ModuleType))


def _modules(root: str) -> Iterator[str]:
    yield root
    for found in pkgutil.walk_packages(getattr(importlib.import_module(root), "__path__", []), f"{root}."):
        if not any(part.startswith("_") for part in found.name.split(".")):
            importlib.import_module(found.name)
            yield found.name


def _names(module: str) -> set[str]:
    """What a module exports, and what it defines: a name that it merely imports is another's."""
    spec = importlib.util.find_spec(module) if module != "torch.backends.cudnn" else torch.backends.cudnn.m.__spec__
    assert spec is not None
    assert spec.origin is not None
    with open(spec.origin, encoding="utf-8") as file:
        defined = set(_defined(ast.parse(file.read()).body))
    exported = set(getattr(sys.modules[module], "__all__", ()))
    return {n for n in defined | exported if not n.startswith("_") and hasattr(sys.modules[module], n)}


def _defined(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (t.id for t in targets if isinstance(t, ast.Name))
        elif isinstance(statement, ast.If | ast.Try):
            for name in ("body", "orelse", "finalbody"):
                yield from _defined(getattr(statement, name, []))


def _switches(owner: type) -> set[str]:
    """The names that a class with a `__getattr__` of its own answers to."""
    tree = ast.parse(inspect.getsource(owner))
    return {
        side.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for side in node.comparators
        if isinstance(side, ast.Constant) and isinstance(side.value, str)
    }


def _value(name: str) -> Any:
    """The object of a qualified name. Raises `AttributeError`."""
    path, *rest = name.split(".")
    found: Any = importlib.import_module(path)
    for part in rest:
        owner, path = path, f"{path}.{part}"
        if not hasattr(found, part):
            try:
                importlib.import_module(path)
            except ImportError:
                found = importlib.import_module(owner)  # an attribute may hide the module: torch.backends.cudnn.rnn
        found = getattr(found, part)
    return found


# -- what becomes of them ------------------------------------------------------------------------------

ARGUMENTS = {"seed": "7", "msg": '"a range"', "new_state": "{get_rng_state}()"}
"""For ``$name`` in a target."""

_PART = re.compile(r"\{([\w.:]+)\}|\$(\w+)")


def run_target(entry: Entry, answer: Answer) -> str | None:
    """Evaluate a target, or its check, where a user's file would have it. None, or what went wrong."""
    names: dict[str, Any] = {}

    def part(match: re.Match[str]) -> str:
        if match[2] is not None:
            return _PART.sub(part, ARGUMENTS[match[2]])
        module, colon, attribute = match[1].partition(":")
        symbol = target("2.9").symbol(match[1]) if not colon else None
        name = f"symbol{len(names)}"
        names[name] = _value(symbol.qualified if symbol is not None else f"{module}.{attribute}")
        return name

    text = entry.check or answer.target
    assert text is not None
    try:
        made = eval(_PART.sub(part, text), names)
        if any(where == "with" and other is answer for where, other in entry.contexts):
            with made:
                torch.ones(1, device=torch_xla.device())
        torch_xla.sync()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        torch.set_default_device(None)
    return None


# -- what is said of them ------------------------------------------------------------------------------

CLAIM = re.compile(r"(raises|is 0|is False|is True|is None|is empty|does nothing)\b(?!, once| in )")


def outcome(entry: Entry) -> str | None:
    """What happens when a name is used without a GPU. None where it cannot be tried without knowing more."""
    tensor = torch.ones(2, device=torch_xla.device())
    samples: dict[str, Callable[[], Any]] = {
        "cuda_graph": lambda: None,
        "data_ptr": lambda: 0,
        "debug_mode": lambda: 1,
        "device": lambda: 0,
        "fraction": lambda: 0.5,
        "inputs": lambda: tensor,
        "module": lambda: torch.nn.Linear(2, 2).to(tensor.device),
        "new_state": lambda: tensor,
        "new_states": lambda: [tensor],
        "obj": lambda: tensor,
        "output_file": lambda: os.devnull,
        "params": lambda: torch.backends.cuda.SDPAParams(tensor, tensor, tensor, None, 0.0, False, False),
        "peer_device": lambda: 0,
        "pool": lambda: None,
        "size": lambda: 8,
        "stream_ptr": lambda: 0,
        "tensor": lambda: tensor,
        "tensors": lambda: [tensor],
    }
    last = entry.name.rpartition(".")[2]
    if entry.kind is Kind.METHOD:
        owner = samples["module"]() if entry.name.startswith("torch.nn.Module.") else tensor
        given = (torch.cuda.Stream,) if last == "record_stream" else ()
        return _tried(lambda: _called(getattr(owner, last), *(make() for make in given)))
    value = _value(entry.name)
    if entry.kind is Kind.VALUE:
        return _tried(lambda: value.max_size if last == "cufft_plan_cache" else value)
    if last == "cudnn_is_acceptable":
        return _tried(lambda: value(tensor))
    needed = _needed(value)
    if any(name not in samples for name in needed):
        return None
    return _tried(lambda: _entered(value(*(samples[name]() for name in needed))))


def _needed(value: Any) -> list[str]:
    """The parameters without a default; none where there is no signature."""
    try:
        signature = inspect.signature(value)
    except ValueError:
        return []
    return [
        p.name
        for p in signature.parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]


def _called(member: Any, *arguments: Any) -> Any:
    return member(*arguments) if callable(member) else member


def _entered(made: Any) -> Any:
    """What a context manager does, it does when it is entered."""
    if hasattr(made, "__enter__") and not isinstance(made, torch.Tensor):
        with made:
            return None
    return made


def _tried(function: Callable[[], Any]) -> str:
    try:
        value = function()
    except Exception as error:
        return f"raises {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    if value is None:
        return "None"
    if value is False or value is True or type(value) in (int, float):
        return f"is {value}"
    return "is empty" if hasattr(value, "__len__") and len(value) == 0 else f"gives {type(value).__name__}"


# -- all together --------------------------------------------------------------------------------------


def parameters(name: str) -> list[str] | None:
    """The named parameters of a function, in order."""
    try:
        signature = inspect.signature(_value(name))
    except (AttributeError, TypeError, ValueError):
        return None
    return [
        p.name for p in signature.parameters.values() if p.kind is not p.VAR_POSITIONAL and p.kind is not p.VAR_KEYWORD
    ]


def exists(name: str) -> bool:
    """Whether a dotted name is there."""
    try:
        _value(name)
    except (AttributeError, ImportError):
        return False
    return True


def main() -> None:
    """Print what was found as one JSON object."""
    entries = list(catalogue().entries.values())
    torches = [e for e in entries if e.name.startswith("torch.") and not e.name.endswith("*")]
    spoken = {
        name
        for e in entries
        for a in (e.answer, *(a for _, a in e.contexts))
        for name in re.findall(r"\btorch(?:_xla)?(?:\.\w+)+", f"{a.why} {a.recipe}")
    }
    answers = [(e, where, a) for e in entries for where, a in (("", e.answer), *e.contexts) if a.target is not None]
    found = {
        "absent": [e.name for e in torches if not exists(e.name)],
        "names": sorted(set(public_names())),
        "parameters": {e.name: parameters(e.name) for e in torches if e.parameters},
        "claims": {
            e.name: outcome(e)
            for e in torches
            if e.when is None and e.kind is not Kind.MODULE and CLAIM.match(e.answer.why)
        },
        "targets": {f"{e.name} {where}".strip(): run_target(e, a) for e, where, a in answers},
        "spoken": {name: exists(name) for name in sorted(spoken)},
        "built with CUDA": torch.version.cuda is not None,
        "memory": _tried(lambda: _value("torch_xla.core.xla_model.get_memory_info")()),
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
