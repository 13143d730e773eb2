import torch


def load(rank):
    a = torch.load("model.pt", map_location={"cuda:0": "cuda:1"})
    b = torch.load("model.pt", map_location={"cuda:%d" % 0: "cuda:%d" % rank})
    return a, b
