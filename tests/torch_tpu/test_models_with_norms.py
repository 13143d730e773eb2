"""XP429 speaks of those models of torchvision that have batch norms, and of no others: all of them are built."""

from __future__ import annotations

import inspect

import torch
from torchvision import models

from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target


def has_norms(name: str) -> bool:
    takes = inspect.signature(models.get_model_builder(name)).parameters
    without = {"weights": None, **{word: None for word in ("weights_backbone",) if word in takes}}
    try:
        with torch.device("meta"):
            model = models.get_model(name, **without)
    except NotImplementedError:  # the meta device has no numbers, and some models read one while they are built
        model = models.get_model(name, **without)
    return any(isinstance(module, torch.nn.modules.batchnorm._BatchNorm) for module in model.modules())


def test_they_are_all_models_with_batch_norms() -> None:
    names = [name for name in models.list_models() if not name.startswith("quantized")]
    builders = [models.get_model_builder(name) for name in names]
    homes = [module.__name__ for module in (models, models.detection, models.segmentation, models.video)]
    calls = [next(f"{h}.{b.__name__}()" for h in homes if b.__module__.startswith(h)) for b in builders]
    text = "import torchvision\n" + "\n".join(calls) + "\n"
    rule = registry.find(registry.load(), "XP429")
    found = convert(text, "a.py", [rule], Settings(target("torch_tpu"), frozenset({Applicability.SAFE}))).findings
    spoken = {text.splitlines()[finding.line - 1].split("(")[0] for finding in found}
    wanted = {call.split("(")[0] for name, call in zip(names, calls, strict=True) if has_norms(name)}
    assert len(wanted) > 50
    assert spoken == wanted
