from torch.profiler import ProfilerActivity, profile

KINDS = {"cpu": ProfilerActivity.CPU, "gpu": ProfilerActivity.CUDA}
with profile(activities=[KINDS["gpu"]]):
    pass
