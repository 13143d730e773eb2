import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    model.to(device)
    optimizer, best = torch.optim.Adam(model.parameters()), 0
    return optimizer, best
