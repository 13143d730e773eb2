"""The forward hook keeps the output's number of rows."""
import torch
from torch import nn

means = []


def watch(module, inputs, output):
    means.append(output.size(0))  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1)).cuda()
handles = [layer.register_forward_hook(watch) for layer in model if hasattr(layer, "weight")]
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    x = torch.randn(4, 6).cuda()
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for handle in handles:
    handle.remove()
print(len(means), means[-1])
