import torch


def run(model, x):
    side = torch.cuda.Stream()
    ready = torch.cuda.Event()
    with torch.cuda.stream(side):
        y = model(x)
        ready.record(side)
    ready.wait(torch.cuda.current_stream())
    torch.cuda.current_stream().wait_event(ready)
    ready.synchronize()
    return y
