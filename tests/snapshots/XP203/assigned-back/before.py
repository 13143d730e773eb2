import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    model = model.to(device)
    return model, optimizer
