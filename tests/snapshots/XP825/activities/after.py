import torch
import torch.profiler as tp
from torch.profiler import ProfilerActivity, profile, record_function

with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as prof:
    with record_function("step"):
        torch.ones(3, device="cuda").sum()
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
    pass
with tp.profile(
    activities=[
        tp.ProfilerActivity.CPU,
    ],
):
    pass
with profile(activities={ProfilerActivity.CPU}):
    pass
activities = [ProfilerActivity.CPU]
activities += [ProfilerActivity.CPU]
chosen = (ProfilerActivity.CPU, ProfilerActivity.CUDA)
