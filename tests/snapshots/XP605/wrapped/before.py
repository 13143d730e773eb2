from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def shard(net, policy):
    return FSDP(net, auto_wrap_policy=policy)
