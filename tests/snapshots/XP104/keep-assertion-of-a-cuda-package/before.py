import torch
from apex.optimizers import FusedAdam


def by_name(name, parameters, load):
    if name == "fused":
        assert torch.cuda.is_available(), "needs a GPU"
        return FusedAdam(parameters)
    if name.startswith("bitsandbytes."):
        assert torch.cuda.is_available(), "CUDA required for bitsandbytes optimizers"
        return load(name)(parameters)
    if not torch.cuda.is_available():
        raise RuntimeError("apex needs CUDA")
    return load(name)
