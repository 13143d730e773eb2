import torch
import torch.multiprocessing as mp


def one(train):
    count = torch.cuda.device_count()
    mp.spawn(train, nprocs=count)


def other():
    count = torch.cuda.device_count()
    return ["gpu"] * count
