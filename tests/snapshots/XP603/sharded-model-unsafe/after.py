import functools

import torch
import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.fsdp as xla_fsdp
import torch_xla.distributed.fsdp.wrap as xla_wrap
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch import nn


def whole_state_dict(model):
    """The weights of a sharded model by their own names, on the first host; every process has to call it."""
    shards = [{} for _ in range(xr.world_size())]
    state, gathered, size = model.state_dict(), {}, 0
    for count, (name, value) in enumerate(state.items(), 1):
        gathered[name] = xm.all_gather(value) if "_fsdp_shard" in name else value
        size += gathered[name].numel()
        if size < 2**28 and count < len(state):
            continue
        torch_xla.sync()
        for key, whole in gathered.items() if xr.global_ordinal() == 0 else ():
            pieces = whole.cpu().chunk(len(shards)) if "_fsdp_shard" in key else [whole.cpu()]
            for shard, piece in zip(shards, pieces):
                shard[key] = piece
        gathered, size = {}, 0
    if xr.global_ordinal() != 0:
        return {}
    return xla_fsdp.consolidate_sharded_state_dicts(shards, model.get_shard_metadata())


def save(model: xla_fsdp.XlaFullyShardedDataParallel, rank):
    state = whole_state_dict(model)
    if rank == 0:
        torch.save(state, "model.pt")


def main():
    dist.init_process_group("xla", init_method="xla://")
    rank = xr.global_ordinal()
    policy = functools.partial(xla_wrap.size_based_auto_wrap_policy, min_num_params=1000)
    model = nn.Sequential(nn.Linear(40, 40), nn.Linear(40, 4))
    for m in model.modules():
        if isinstance(m, nn.Linear):
            xla_fsdp.checkpoint_module(m)
    model = xla_fsdp.XlaFullyShardedDataParallel(
        model,
        auto_wrap_policy=policy,
        _use_xla_patched_linear=False,
        reshard_after_forward=False,
    )
    model.forward = torch.autocast("xla", dtype=torch.bfloat16)(model.forward)
    save(model, rank)


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
