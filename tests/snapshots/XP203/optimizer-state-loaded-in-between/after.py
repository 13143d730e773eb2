import torch


def main(device, checkpoint):
    model = torch.nn.Linear(2, 2)
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters())
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return optimizer
