import torch
import torch_xla
from torch import nn
from lib import tick
device = torch_xla.device()
model = nn.Sequential(*[nn.Linear(1024, 1024) for _ in range(6)]).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.01)

def main():
    stats = dict(seen=0)
    for i in range(8):
        x = torch.randn(512, 1024).to(device)
        loss = model(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        torch_xla.sync()
        tick(stats)
        print(i, loss.item(), stats)
main()
