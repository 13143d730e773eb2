import torch


def train(model, optimizer, device):
    model.to(device)
    optimizer.step()


device = torch.device("cuda")
model = torch.nn.Linear(2, 2).to(device)
optimizer = torch.optim.Adam(model.parameters())
train(model, optimizer, device)
