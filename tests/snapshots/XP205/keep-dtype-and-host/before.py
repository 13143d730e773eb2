import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 10)
        self.out.weight = self.emb.weight


def main(dtype=torch.float16):
    model = Model("cpu")
    model.to(torch.bfloat16)
    model.to(dtype)
    model.to("cpu")
    host = torch.device("cpu")
    model.to(host)
    return model.half()
