import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    optimizer: torch.optim.Optimizer = torch.optim.Adam(model.parameters())
    model.to(device)
    return optimizer
