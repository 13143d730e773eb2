import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

actions = torch.zeros(64, 4, device=device)
columns = torch.zeros(4, 64, device=device)
flags = torch.zeros(64, 4, dtype=torch.bool, device=device)
size = 8

for step in range(64):
    out = model(actions)
    action = out.argmax(0)
    actions[step] = action
    actions[step] = action * 2 + 1
    actions[step] = action.to(actions.dtype)
    actions[step] = actions[0]
    actions[step] = 1
    actions[step] += action
    actions[step] = actions[step] * 0.9 + action
    actions[step], columns[:, step] = action, out[:4, 0]
    columns[:, step] = out.mean()
    columns[..., step] = out[:4, 0]
    columns[0, step] = out[0, 0]
    columns[:, step] += out[:4, 0]
    flags[step] = out[:4, 0] > 0
    actions[step * size : step * size + size] = out[:8]
    actions[step * size : step * size + size] = 0
    columns[step : step + 2, step : step + 2] = 0
    loss = out.sum()
    loss.backward()
    optimizer.step()
