import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    return scheduler
