import torch


def main(device):
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
    net.to(device)
    optimizer = torch.optim.SGD(
        [
            {"params": net[0].parameters()},
            {"params": net[1].parameters(), "lr": 1e-3},
        ],
        lr=1e-2,
    )
    return optimizer
