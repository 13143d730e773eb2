import torch
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel
from torch_xla.distributed.fsdp.wrap import always_wrap_policy


def halves(net):
    return XlaFullyShardedDataParallel(net, compute_dtype=torch.bfloat16, auto_wrap_policy=always_wrap_policy)


def apart(net, flags):
    return XlaFullyShardedDataParallel(
        net,
        reshard_after_forward=flags.reshard,
        compute_dtype=getattr(torch, flags.dtype),
        fp32_reduce_scatter=flags.exact or flags.debug,
        buffer_dtype=torch.float32,
        auto_wrapper_callable=None,
        sharding_groups=None,
    )


def buffers(net):
    return XlaFullyShardedDataParallel(net, False, compute_dtype=None)


def kept_whole(net):
    return XlaFullyShardedDataParallel(
        net if net.training else net.eval(),
        reshard_after_forward=False,
        buffer_dtype=torch.bfloat16,
        fp32_reduce_scatter=True,
        _shard_size_multiple=64,
    )


def reduced(net):
    return XlaFullyShardedDataParallel(net, compute_dtype=torch.bfloat16, fp32_reduce_scatter=True)
