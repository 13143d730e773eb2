import torch


def measure(model, x):
    begin = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    begin.record()
    model(x)
    end.record()
    end.synchronize()
    seconds = 1e-3 * begin.elapsed_time(end)
    return seconds
