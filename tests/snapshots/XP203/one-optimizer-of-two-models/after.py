import itertools

import torch


def main(device):
    a = torch.nn.Linear(2, 2)
    b = torch.nn.Linear(2, 2)
    a.to(device)
    b.to(device)
    optimizer = torch.optim.Adam(list(a.parameters()) + list(b.parameters()))
    other = torch.optim.Adam(itertools.chain(a.parameters(), b.parameters()))
    return optimizer, other
