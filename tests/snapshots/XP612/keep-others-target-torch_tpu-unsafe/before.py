import torch
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP


class FullyShardedDataParallel(torch.nn.Module):
    pass


def main(net, device, accelerator):
    own = FullyShardedDataParallel()
    moved = net.to(device)
    fully_shard(moved)
    torch.nn.utils.clip_grad_norm_(moved.parameters(), 1.0)
    accelerator.clip_grad_norm_(moved.parameters(), 1.0)
    model = DDP(net)
    with model.no_sync():
        pass
    return own, model.module
