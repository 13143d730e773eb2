import torch
import torch_xla
from torch import nn

device = torch_xla.device()
def train(net, optimizer):
    net = net.to(device)
    for x in [torch.ones(4, 8) * n for n in range(4)]:
        loss = net(x.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    return loss


model = nn.Linear(8, 1)
model = model.to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
with torch.no_grad():
    print(f"{model(torch.ones(1, 8).to(device)).item():.5f}")
print(f"{train(model, optimizer).item():.5f}")
