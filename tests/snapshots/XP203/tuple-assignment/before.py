import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    optimizer, best = torch.optim.Adam(model.parameters()), 0
    model.to(device)
    return optimizer, best
