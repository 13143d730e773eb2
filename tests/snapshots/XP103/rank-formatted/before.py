import torch


def worker(rank):
    device = "cuda:{}".format(rank)
    other = "cuda:%d" % rank
    third = "cuda:" + str(rank)
    return torch.zeros(3).to(device), torch.zeros(3).to(other), torch.zeros(3).to(third)
