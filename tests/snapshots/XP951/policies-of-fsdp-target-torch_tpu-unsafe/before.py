from functools import partial

import torch
from torch_xla.distributed.fsdp import checkpoint_module, consolidate_sharded_model_checkpoints
from torch_xla.distributed.fsdp.wrap import (
    always_wrap_policy,
    lambda_auto_wrap_policy,
    recursive_wrap,
    size_based_auto_wrap_policy,
    transformer_auto_wrap_policy,
)


def policies(net, wrapper):
    for block in net.blocks:
        checkpoint_module(block)
    recursive_wrap(net, always_wrap_policy, wrapper, (), ())
    return [
        always_wrap_policy,
        partial(lambda_auto_wrap_policy, lambda_fn=lambda module: True),
        partial(size_based_auto_wrap_policy, min_num_params=1e6),
        partial(transformer_auto_wrap_policy, transformer_layer_cls={torch.nn.Linear}),
    ]


consolidate_sharded_model_checkpoints("model", "")
