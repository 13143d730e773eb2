import torch


def measure(model, x):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    y = model(x)
    # the work is noted
    end.record()
    print(start.elapsed_time(end), "ms")
    return y, start.elapsed_time(end) / 1000
