import torch
import torch.multiprocessing as mp


def one(train):
    count = torch.cuda.device_count()
    mp.spawn(train, nprocs=count)


def other():
    count = 1
    return ["gpu"] * count
