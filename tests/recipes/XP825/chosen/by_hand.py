import torch
from torch.profiler import ProfilerActivity

chosen = (ProfilerActivity.CPU,)
print(len(chosen))
