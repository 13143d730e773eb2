"""What PyTorch's functions return, by their qualified names."""

from __future__ import annotations

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.role import ANNOTATED, OF_CLOCK, Role


def returned(name: str) -> tuple[Role, str] | None:
    """The role of what a function returns whatever it is given, and a phrase for it."""
    last = name.rpartition(".")[2]
    for names, role, phrase in _BY_NAME:
        if name in names:
            return role, phrase.format(name=name, last=last)
    if name.startswith(torch_api.SCHEDULER_PREFIX) or name in torch_api.SCHEDULER_MAKERS:
        return Role.SCHEDULER, f"{last}(…)"
    is_model = name in torch_api.MODEL_MAKERS
    if name.startswith(torch_api.OPTIMIZER_PREFIXES) and last[:1].isupper() and not is_model:
        return Role.OPTIMIZER, f"{last}(…)"
    if name in torch_api.MODULE_BASES or (name.startswith("torch.nn.") and last[:1].isupper()):
        return Role.MODEL, f"torch.nn.{last}(…)"
    if name.startswith("torchvision.models.") or is_model:
        return Role.MODEL, f"{last}(…)"
    pretrained = name.removesuffix(".from_pretrained").removesuffix(".from_config")
    if pretrained.startswith("transformers.") and torch_api.is_transformers_model(pretrained):
        return Role.MODEL, f"{pretrained.rpartition('.')[2]}, a model of transformers'"
    if name.startswith("torchvision.datasets."):
        return Role.DATASET, f"{last}(…)"
    return None


OF_MODULES = frozenset(f"torch.nn.{name}(…)" for name in ("Sequential", "ModuleList", "ModuleDict"))
"""The evidence of modules whose items are modules."""


def is_module(name: str) -> bool:
    """Whether a class of a library is a module: torch's own, and the bases of well-known libraries' models."""
    found = returned(name)
    return found is not None and found[0] is Role.MODEL


def annotated(name: str) -> tuple[Role, str] | None:
    """The role of a value whose annotation is this class."""
    if name in _CLASSES:
        return _CLASSES[name], f"{ANNOTATED} {name.rpartition('.')[2]}"
    found = returned(name)
    return (found[0], f"{ANNOTATED} {name.rpartition('.')[2]}") if found is not None else None


def makes_tensor(name: str) -> bool:
    """A function that makes a tensor from nothing but numbers, on the default device."""
    return name in torch_api.FACTORIES


def computes_tensor(name: str) -> bool:
    """A function of tensors that returns a tensor, or several."""
    if name in torch_api.NOT_TENSORS:
        return False
    if name.startswith(torch_api.TENSOR_NAMESPACES) or name in torch_api.TENSOR_FUNCTIONS:
        return True
    last = name.rpartition(".")[2]
    return name.startswith("torch.") and name.count(".") == 1 and last.islower()


_BY_NAME: tuple[tuple[frozenset[str], Role, str], ...] = (
    (torch_api.DEVICE_CALLS, Role.DEVICE, "{name}(…)"),
    (torch_api.LOADERS, Role.LOADER, "a DataLoader"),
    (torch_api.SCALERS, Role.SCALER, "a GradScaler"),
    (torch_api.OPTIMIZERS, Role.OPTIMIZER, "{last}(…)"),
    (torch_api.PARAMETERS, Role.TENSOR, "{last}(…)"),
    (torch_api.DATASET_WRAPPERS, Role.DATASET, "{last}(…)"),
    (frozenset(f"builtins.{name}" for name in ("float", "int", "bool", "len", "round", "complex", "hash", "ord")),
     Role.NUMBER, "{last}(…)"),
    (frozenset({"torch.nn.functional._Reduction.get_enum"}), Role.NUMBER, "{last}(…)"),
    (torch_api.CLOCKS, Role.NUMBER, OF_CLOCK),
    (frozenset({"datetime.datetime.now"}), Role.OTHER, OF_CLOCK),
    (frozenset(f"builtins.{name}" for name in ("isinstance", "issubclass", "hasattr", "callable")),
     Role.NUMBER, "{last}(…)"),
    (frozenset(f"builtins.{name}" for name in ("str", "repr", "format", "input", "chr", "hex")),
     Role.TEXT, "{last}(…)"),
    (frozenset(f"builtins.{name}" for name in ("list", "dict", "set", "tuple", "range", "open", "type", "object")),
     Role.OTHER, "{last}(…)"),
    (frozenset({"logging.getLogger", "logging.Logger", "csv.writer", "wandb.init"}), Role.OTHER, "{last}(…)"),
)  # fmt: skip

_CLASSES = {
    "torch.Tensor": Role.TENSOR,
    "torch.nn.Parameter": Role.TENSOR,
    "torch.nn.Module": Role.MODEL,
    "torch.device": Role.DEVICE,
    "builtins.int": Role.NUMBER,
    "builtins.float": Role.NUMBER,
    "builtins.bool": Role.NUMBER,
    "builtins.str": Role.TEXT,
    "torch.utils.data.Dataset": Role.DATASET,
    "torch.optim.Optimizer": Role.OPTIMIZER,
    "torch.utils.data.DataLoader": Role.LOADER,
}
