import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    for p in model.parameters():
        p.requires_grad = False
    model.to(device)
    return optimizer
