import torch

with torch.profiler.profile() as prof:
    torch.ones(3, device="cuda").sum()
print(prof.key_averages().table(sort_by="cpu_time_total", row_limit=10))
print(prof.key_averages().table("self_cpu_time_total"))
print(prof.key_averages().table(sort_by='self_cpu_memory_usage'))
prof.export_stacks("stacks.txt", "self_cpu_time_total")
