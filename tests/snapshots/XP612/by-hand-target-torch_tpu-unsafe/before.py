import torch
from torch.distributed.fsdp import CPUOffload, FullyShardedDataParallel as FSDP, ShardingStrategy, StateDictType
from torch.distributed.fsdp import fully_shard


def hybrid(net, device):
    return FSDP(net, sharding_strategy=ShardingStrategy.HYBRID_SHARD, device_id=device)


def offloaded(net, device, options):
    first = FSDP(net, cpu_offload=CPUOffload(offload_params=True), device_id=device)
    return first, FSDP(net, **options)


def accumulate(net, batches, device, optimizer):
    model = FSDP(net, device_id=device)
    with model.no_sync():
        model(batches[0].to(device)).sum().backward()
    model(batches[1].to(device)).sum().backward()
    optimizer.step()
    with FSDP.summon_full_params(model):
        print(model.weight.shape)
    with FSDP.state_dict_type(model, StateDictType.SHARDED_STATE_DICT):
        torch.save(model.state_dict(), "shard.pt")
    return FSDP.optim_state_dict(model, optimizer)


def moved(net, device):
    model = FSDP(net).to(device)
    other = torch.nn.Linear(2, 2)
    fully_shard(other)
    other.to(device)
    return model, other


class Inside(torch.nn.Module):
    def __init__(self, block):
        super().__init__()
        self.block = FSDP(block)


def grouped(net, device):
    return FSDP(net, sharding_strategy=ShardingStrategy.NO_SHARD, device_id=device)
