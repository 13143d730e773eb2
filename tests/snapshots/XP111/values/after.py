import torch
import pytest

devices = ["cpu"] + ["cuda"]
cfg.MODEL.DEVICE = "cuda"


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test(device, registry, rank):
    if registry[0] == "cuda":
        return "cuda"
    if "cuda" in registry.devices:
        registry.check(device, "cuda", f"cuda:{rank}", place="cuda:%d" % rank)
    for each in ("cpu", "cuda"):
        registry.run(each)
