import torch


def main(device, ok):
    model = torch.nn.Linear(2, 2)
    if ok:
        print("moving")
        model.to(device)
    optimizer = torch.optim.Adam(model.parameters())
    return optimizer
