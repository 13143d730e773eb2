import os

import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, gpu_id: int):
        self.gpu_id = gpu_id
        self.model = model.to(gpu_id)
        print(f"[GPU{self.gpu_id}] ready")

    def run(self, source, targets):
        source = source.to(self.gpu_id)
        targets = targets.to(self.gpu_id, non_blocking=True)
        return self.model(source), torch.zeros(3, device=self.gpu_id)


def work(rank, world_size, args):
    local_rank = int(os.environ["LOCAL_RANK"])
    x = torch.zeros(3).to(local_rank)
    y = torch.ones(3).to(rank)
    z = torch.ones(3).to(args.gpu)
    print("rank", rank, "of", world_size)
    return x, y, z
