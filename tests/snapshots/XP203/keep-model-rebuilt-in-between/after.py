import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model = torch.nn.Linear(3, 3)
    model.to(device)
    return optimizer
