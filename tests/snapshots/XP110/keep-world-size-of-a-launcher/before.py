import torch
import torch.multiprocessing as mp


def main(train):
    world_size = torch.cuda.device_count()
    mp.spawn(train, args=(world_size,), nprocs=world_size)
    mp.spawn(train, nprocs=torch.cuda.device_count())
