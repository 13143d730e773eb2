import time

import torch


def seed_all(seed, rank):
    torch.manual_seed(str(seed))
    torch.rand(1)
    torch.cuda.manual_seed_all(str(seed + rank))
    name = "17"
    torch.cuda.manual_seed(name)
    torch.cuda.manual_seed(float(rank))
    torch.cuda.manual_seed(f"{rank}")
    torch.manual_seed(time.time())
