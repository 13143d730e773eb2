import torch
from torch.utils.data import random_split


def main(data):
    return random_split(data, [1, 2], generator=torch.manual_seed(0))
