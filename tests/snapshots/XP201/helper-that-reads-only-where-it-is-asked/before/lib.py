import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")


crit = nn.CrossEntropyLoss()
test_set = [(torch.randn(4, 8), torch.zeros(4).long()) for _ in range(100)]
net = nn.Linear(8, 4).to(device)

def compute(x, y, history=None):
    out = net(x)
    loss = crit(out, y)
    acc = (out.argmax(1) == y).float().mean()
    if history is not None:
        history.append((loss.item(), acc.item()))
    return loss

def closure_step(x, y, opt):
    opt.zero_grad()
    loss = compute(x, y)
    loss.backward()
    opt.step()

def evaluate():
    net.eval()
    history = []
    with torch.no_grad():
        for x, y in test_set:
            compute(x.to(device), y.to(device), history)
    print(sum(h[0] for h in history))
