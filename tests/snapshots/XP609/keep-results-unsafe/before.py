import torch
import torch.distributed as dist
import torch_xla.core.xla_model as xm


def reduce(loss):
    loss = loss.mean()
    total = xm.all_reduce("sum", loss)
    print(xm.all_reduce("sum", loss))
    dist.all_reduce(loss)
    return total
