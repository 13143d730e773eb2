import torch
from torch import nn


def write(model, path):
    tensors = model.state_dict()
    torch.save(tensors, path)


def push(path):
    model = nn.Linear(2, 2)
    write(model, path)


push("model.bin")
