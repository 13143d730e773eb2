import torch


def run(model, x, blocks, wanted):
    if blocks:
        ready = torch.cuda.Event()
        ready.record()
    y = model(x)
    if blocks:
        # wait for the copy
        ready.wait()
    if wanted():
        done = torch.cuda.Event()
        done.record()
    else:
        y = y + 1
    if wanted():
        done.wait()
    return y
