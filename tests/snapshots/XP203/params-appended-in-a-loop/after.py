import torch


def main(device):
    net = torch.nn.Linear(2, 2)
    params = []
    net.to(device)
    for name, p in net.named_parameters():
        params.append({"params": p, "weight_decay": 0.0 if "bias" in name else 0.1})
    optimizer = torch.optim.SGD(params, lr=1e-2)
    return optimizer
