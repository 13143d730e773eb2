import torch


def main(device, adam):
    model = torch.nn.Linear(2, 2)
    model.to(device)
    if adam:
        optimizer = torch.optim.Adam(model.parameters())
    else:
        optimizer = torch.optim.SGD(model.parameters(), lr=1)
    return optimizer
