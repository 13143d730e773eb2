import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    model = model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    return model, optimizer
