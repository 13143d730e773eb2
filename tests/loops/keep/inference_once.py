"""One pass over a model's children, its checkpoints and its images, without a batch in a loop."""

import copy

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)).to(device).eval()
states = [copy.deepcopy(model.state_dict()) for _ in range(3)]

average = {}
for state in states:
    for name, value in state.items():
        average[name] = average.get(name, 0) + value / len(states)
model.load_state_dict(average)

names = []
for name, child in model.named_children():
    names.append(f"{name}: {type(child).__name__}")
print(names)

x = torch.randn(4, 8).to(device)
with torch.no_grad():
    y = x
    for child in model.children():
        y = child(y)
print(y.shape)
