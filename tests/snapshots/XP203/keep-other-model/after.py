import torch


def main(device):
    a = torch.nn.Linear(2, 2)
    b = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(a.parameters())
    b.to(device)
    return optimizer
