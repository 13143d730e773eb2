import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main(data):
    dist.init_process_group("nccl")
    rank = int(os.environ["RANK"])
    sampler = DistributedSampler(data, num_replicas=dist.get_world_size(), rank=rank)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    whole = DataLoader(data, batch_size=8)
    model = nn.Sequential(nn.Linear(40, 40), nn.Linear(40, 4))
    for layer in model:
        fully_shard(layer, reshard_after_forward=False)
    fully_shard(model)
    total = torch.zeros(1)
    dist.all_reduce(total)
    dist.barrier()
    state = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
    if dist.get_rank() == 0:
        torch.save((state, len(loader), len(whole)), "model.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main([])
