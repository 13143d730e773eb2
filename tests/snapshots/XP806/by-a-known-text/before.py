import importlib
import torch


class Names:
    amp = "torch.cuda.amp"


kind = "cuda"
module = getattr(torch, kind)
amp = importlib.import_module(Names.amp)
