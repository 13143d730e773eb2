import torch
from torch import nn

device = torch.device("xla")
D, G = nn.Linear(4, 1).to(device), nn.Linear(4, 4).to(device)
d_optimizer = torch.optim.SGD(D.parameters(), lr=0.1)
g_optimizer = torch.optim.SGD(G.parameters(), lr=0.1)
for i in range(1000):
    noise = torch.randn(8, 4, device=device)
    d_loss = D(G(noise).detach()).square().mean()
    d_loss.backward()
    d_optimizer.step()
    losses = {}
    losses["D/loss"] = d_loss.item()
    if (i + 1) % 5 == 0:
        g_loss = -D(G(noise)).mean()
        g_loss.backward()
        g_optimizer.step()
        losses["G/loss"] = g_loss.item()
    if (i + 1) % 10 == 0:
        for tag, value in losses.items():
            print(f"{tag}: {value:.4f}")

for i in range(1000):
    loss = D(torch.randn(8, 4, device=device)).square().mean()
    loss.backward()
    d_optimizer.step()
    shown = {}
    shown["step"] = i
    shown["loss"] = loss.item()
    if i % 50 == 0:
        print(shown)
        shown["later"] = loss.item()
        print(shown["loss"], shown["later"])
