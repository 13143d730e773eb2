from functools import partial

import torch
import torch.distributed.fsdp.wrap
from torch_xla.distributed.fsdp import checkpoint_module, consolidate_sharded_model_checkpoints
from torch_xla.distributed.fsdp.wrap import (
    recursive_wrap,
)


def policies(net, wrapper):
    for block in net.blocks:
        checkpoint_module(block)
    recursive_wrap(net, torch.distributed.fsdp.wrap.always_wrap_policy, wrapper, (), ())
    return [
        torch.distributed.fsdp.wrap.always_wrap_policy,
        partial(torch.distributed.fsdp.wrap.lambda_auto_wrap_policy, lambda_fn=lambda module: True),
        partial(torch.distributed.fsdp.wrap.size_based_auto_wrap_policy, min_num_params=1e6),
        partial(torch.distributed.fsdp.wrap.transformer_auto_wrap_policy, transformer_layer_cls={torch.nn.Linear}),
    ]


consolidate_sharded_model_checkpoints("model", "")
