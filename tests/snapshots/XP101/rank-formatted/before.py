import torch


def pick(rank):
    a = torch.device("cuda:{}".format(rank))
    b = torch.device("cuda:%d" % rank)
    return a, b
