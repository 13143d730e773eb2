from functools import partial

import torch
from torch_xla.distributed.fsdp import (
    XlaFullyShardedDataParallel as FSDP,
    checkpoint_module,
    consolidate_sharded_model_checkpoints,
)
from torch_xla.distributed.fsdp.wrap import recursive_wrap


def large(module, recurse, unwrapped_params, least=1000):
    return unwrapped_params >= least


class Net(torch.nn.Module):
    def __init__(self, head):
        super().__init__()
        self.head = FSDP(head)


class Wrapper(FSDP):
    pass


def train(net, groups, options, make, ready):
    FSDP(net, sharding_groups=groups, sharding_rank=0, sharding_world_size=2)
    FSDP(net, auto_wrapper_callable=make)
    FSDP(net, param_init_fn=make)
    FSDP(net, auto_wrap_policy=partial(large, least=10))
    FSDP(net, compute_dtype=make())
    FSDP(net, _debug_dummy_forward_pass=True)
    FSDP(net, **options)
    FSDP(module=net)
    FSDP(net).to(ready)
    for block in net.blocks:
        checkpoint_module(block)
    return recursive_wrap, consolidate_sharded_model_checkpoints("model")
