from fairscale.nn import FullyShardedDataParallel as FSDP
from mine import distribute_tensor, fully_shard


def shard(net):
    fully_shard(net)
    return FSDP(distribute_tensor(net))
