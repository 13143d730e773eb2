import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.fsdp as xla_fsdp
import torch_xla.runtime as xr


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


def save(model, path):
    weights = whole_state_dict(model)
    xm.save(weights, path, global_master=True)


def make(net):
    for module in net.modules():
        if isinstance(module, torch.nn.Linear):
            xla_fsdp.checkpoint_module(module)
    return xla_fsdp.XlaFullyShardedDataParallel(net)
