import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters())
    return optimizer
