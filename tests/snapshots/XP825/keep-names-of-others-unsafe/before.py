import torch


class ProfilerActivity:
    CUDA = 1


print(ProfilerActivity.CUDA, torch.ones(3, device="cuda"))
print(table(sort_by="cuda_time_total"), "cuda_time_total")
with torch.profiler.profile() as prof:
    pass
print(prof.key_averages().table(sort_by="cpu_time_total"))
