import torch


def main(device, x):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model(x).sum().backward()
    optimizer.step()
    model.to(device)
    return optimizer
