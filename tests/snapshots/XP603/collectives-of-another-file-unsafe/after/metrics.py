import torch.distributed as dist
import torch_xla


def mean_of_all(value):
    total = value.clone()
    dist.all_reduce(total, op=dist.ReduceOp.SUM)
    torch_xla.sync()
    total /= dist.get_world_size()
    return total.item()
