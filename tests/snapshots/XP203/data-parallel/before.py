import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model = torch.nn.DataParallel(model).to(device)
    return optimizer
