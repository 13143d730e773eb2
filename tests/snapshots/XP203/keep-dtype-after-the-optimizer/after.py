import torch
from torch import nn


def main(dtype):
    model = nn.Linear(2, 2).to("cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.half()
    model.to(torch.bfloat16)
    model.double()
    return optimizer
