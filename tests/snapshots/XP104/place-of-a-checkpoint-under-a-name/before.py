import torch
from torch import nn


def load(path):
    map_location = None if torch.cuda.is_available() else "cpu"
    return torch.load(path, map_location=map_location)


def load_there(path):
    place = "cpu" if not torch.cuda.is_available() else None
    return torch.load(path, map_location=place)


def size_of(path):
    limit = None if torch.cuda.is_available() else "cpu"
    print(path, limit)


model = nn.Linear(2, 2).cuda()
model.load_state_dict(load("a.pt"))
