import importlib
import torch


class Names:
    optim = "torch.optim"


kind = "cpu"
module = getattr(torch, kind)
optim = importlib.import_module(Names.optim)
cuda = "cuda"
print(getattr(module, kind, None), cuda)
