import torch
from torch import nn

means, kept = [], []


def watch(module, inputs, output):
    means.append(output.mean().item())


def keep(module, inputs, output):
    kept.append(output.detach())


def once(module, inputs, output):
    print(output.shape, len(inputs))


model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1)).cuda()
model[0].register_forward_hook(watch)
model[1].register_forward_hook(keep)
model[2].register_forward_hook(once)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    loss = model(torch.randn(16, 8).cuda()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
