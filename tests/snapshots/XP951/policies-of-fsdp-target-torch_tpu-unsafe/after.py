from functools import partial

import torch
import torch.distributed.fsdp.wrap
import torch.utils.checkpoint
from torch_xla.distributed.fsdp import consolidate_sharded_model_checkpoints
from torch_xla.distributed.fsdp.wrap import (
    recursive_wrap,
)


def recomputed(module):
    """Has a module compute its activations anew in the backward pass, as torch_xla's checkpoint_module() did."""
    forward = module.forward

    def again(*args, **kwargs):
        return torch.utils.checkpoint.checkpoint(forward, *args, use_reentrant=False, **kwargs)

    module.forward = again
    return module


def policies(net, wrapper):
    for block in net.blocks:
        recomputed(block)
    recursive_wrap(net, torch.distributed.fsdp.wrap.always_wrap_policy, wrapper, (), ())
    return [
        torch.distributed.fsdp.wrap.always_wrap_policy,
        partial(torch.distributed.fsdp.wrap.lambda_auto_wrap_policy, lambda_fn=lambda module: True),
        partial(torch.distributed.fsdp.wrap.size_based_auto_wrap_policy, min_num_params=1e6),
        partial(torch.distributed.fsdp.wrap.transformer_auto_wrap_policy, transformer_layer_cls={torch.nn.Linear}),
    ]


consolidate_sharded_model_checkpoints("model", "")
