import torch
import torch.profiler as tp
from torch.profiler import ProfilerActivity, profile, record_function

with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as prof:
    with record_function("step"):
        torch.ones(3, device="cuda").sum()
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA, torch.profiler.ProfilerActivity.CPU]):
    pass
with tp.profile(
    activities=[
        tp.ProfilerActivity.CPU,
        tp.ProfilerActivity.CUDA,
    ],
):
    pass
with profile(activities={ProfilerActivity.CUDA}):
    pass
activities = [ProfilerActivity.CPU]
if torch.cuda.is_available():
    activities.append(ProfilerActivity.CUDA)
activities += [ProfilerActivity.CUDA]
chosen = (ProfilerActivity.CPU, ProfilerActivity.CUDA)
