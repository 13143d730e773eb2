import torch


class XlaFullyShardedDataParallel(torch.nn.Module):
    pass


def size_based_auto_wrap_policy(module, recurse, unwrapped_params):
    return False


model = XlaFullyShardedDataParallel(torch.nn.Linear(2, 2), auto_wrap_policy=size_based_auto_wrap_policy)
model.module.clip(1.0)
