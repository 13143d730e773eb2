import functools

import numpy as np
import torch_xla
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch_xla.distributed.fsdp.wrap import transformer_auto_wrap_policy
from torch_xla.experimental.spmd_fully_sharded_data_parallel import SpmdFullyShardedDataParallel as FSDPv2


def shard_output(output, mesh):
    xs.mark_sharding(output.logits, xs.get_global_mesh(), ("fsdp", None, None))


def wrap(net, Block):
    count = xr.global_runtime_device_count()
    mesh = xs.Mesh(np.array(range(count)), (count, 1), ("fsdp", "model"))
    policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})
    net = FSDPv2(net.to(torch_xla.device()), mesh=mesh, shard_output=shard_output, auto_wrap_policy=policy)
    return FSDPv2(net, auto_wrapper_callable=policy)


xr.use_spmd()
wrap(*made())
