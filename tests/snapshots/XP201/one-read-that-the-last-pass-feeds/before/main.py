import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")

data = [(torch.randn(4, 8), torch.zeros(4)) for _ in range(100)]
def evaluate(model):
    model.eval()
    t = torch.zeros(1, device=device)
    with torch.no_grad():
        for x, y in data:
            x, y = x.to(device), y.to(device)
            print((model(x + t).argmax(1) == y).sum().item())
            t += 0.1

evaluate(nn.Linear(8, 4).to(device))
