import torch.distributed as dist
import torch_xla


def mean_of_all(value):
    total = value.clone()
    dist.all_reduce(total, op=dist.ReduceOp.SUM)
    total /= dist.get_world_size()
    torch_xla.sync()
    return total.item()
