import torch


def main():
    model = torch.nn.Linear(2, 2)
    device = torch.device("cuda")
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    return optimizer
