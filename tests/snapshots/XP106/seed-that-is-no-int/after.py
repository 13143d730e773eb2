import time

import torch
import torch_xla


def seed_all(seed, rank):
    torch.manual_seed(str(seed))
    torch_xla.manual_seed(torch.initial_seed())
    torch.rand(1)
    torch_xla.manual_seed(seed + rank)
    name = "17"
    torch_xla.manual_seed(int(name))
    torch_xla.manual_seed(int(float(rank)))
    torch_xla.manual_seed(int(f"{rank}"))
    torch.manual_seed(time.time())
    torch_xla.manual_seed(torch.initial_seed())
