import torch


def main(device, adam):
    model = torch.nn.Linear(2, 2)
    if adam:
        optimizer = torch.optim.Adam(model.parameters())
    else:
        optimizer = torch.optim.SGD(model.parameters(), lr=1)
    model.to(device)
    return optimizer
