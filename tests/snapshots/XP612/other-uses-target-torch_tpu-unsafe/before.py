import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, ShardingStrategy


def blocks(model):
    return [module for module in model.modules() if isinstance(module, FSDP)]


def main(net, batch, device):
    model = FSDP(net.to(device), sharding_strategy=ShardingStrategy.SHARD_GRAD_OP, sync_module_states=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(batch.to(device)).sum().backward()
    norm = model.clip_grad_norm_(max_norm=1.0, norm_type=2.0)
    optimizer.step()
    print(norm.item(), model.module.hidden, len(blocks(model)))
