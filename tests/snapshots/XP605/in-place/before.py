from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard


def shard(net):
    for layer in net.layers:
        fully_shard(layer, mp_policy=MixedPrecisionPolicy())
    fully_shard(net)
