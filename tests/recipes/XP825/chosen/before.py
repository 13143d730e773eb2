import torch
from torch.profiler import ProfilerActivity

chosen = (ProfilerActivity.CPU, ProfilerActivity.CUDA)
print(len(chosen))
