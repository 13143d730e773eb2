import torch


def main(device, ok):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    if ok:
        print("moving")
        model.to(device)
    return optimizer
