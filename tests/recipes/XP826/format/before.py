import torch
import torch.cuda.nvtx as nvtx


def named(model, x, n):
    with nvtx.range("step {}", n):
        return model(x)
