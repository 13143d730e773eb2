import torch


def main(device):
    net = torch.nn.Linear(2, 2)
    net.to(device)
    params = [p for p in net.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=1e-2)
    return optimizer
