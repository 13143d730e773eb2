import torch
import torch.cuda.nvtx as nvtx


@nvtx.range("loss")
def loss_of(model, x):
    with torch.cuda.nvtx.range(f"forward {len(x)}"):
        return model(x).sum()


def named(model, x, args, stack):
    with nvtx.range("step {}", args):
        y = model(x)
    stack.enter_context(nvtx.range("rest"))
    with torch.no_grad(), nvtx.range(msg="all"):
        return model(y)
