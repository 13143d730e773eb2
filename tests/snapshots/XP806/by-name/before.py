import importlib
import torch
from torch.cuda import *

device_type = "cuda"
backend = getattr(torch, "cuda")
module = getattr(torch, device_type)
if hasattr(torch.cuda, "empty_cache"):
    getattr(torch.cuda, "empty_cache")()
amp = importlib.import_module("torch.cuda.amp")
cudnn = torch.backends.__dict__["cudnn"]
exec("torch.cuda.synchronize()")
