import torch


def train(model, optimizer, device):
    model.to(device)
    optimizer.step()


model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
train(model, optimizer, torch.device("cuda"))
