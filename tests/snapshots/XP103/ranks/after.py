import os

import torch
import torch_xla
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, gpu_id: int):
        self.gpu_id = gpu_id
        self.model = model.to(torch_xla.device())
        print(f"[GPU{self.gpu_id}] ready")

    def run(self, source, targets):
        source = source.to(torch_xla.device())
        targets = targets.to(torch_xla.device(), non_blocking=True)
        return self.model(source), torch.zeros(3, device=torch_xla.device())


def work(rank, world_size, args):
    local_rank = int(os.environ["LOCAL_RANK"])
    x = torch.zeros(3).to(torch_xla.device())
    y = torch.ones(3).to(torch_xla.device())
    z = torch.ones(3).to(args.gpu)
    print("rank", rank, "of", world_size)
    return x, y, z
