import torch
import torch_xla


def train(model, optimizer, device):
    model.to(device)
    optimizer.step()


model = torch.nn.Linear(2, 2)
model.to(torch_xla.device())
optimizer = torch.optim.Adam(model.parameters())
train(model, optimizer, torch.device("cuda"))
