"""Layers, heads and time steps inside forward(): the step is somewhere else."""

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(depth))
        self.cell = nn.GRUCell(8, 8)

    def forward(self, x):
        outputs = []
        for layer in self.layers:
            x = torch.relu(layer(x))
            outputs.append(x)
        hidden = torch.zeros_like(x)
        for t in range(4):
            hidden = self.cell(outputs[t % len(outputs)], hidden)
        return self.decode(hidden)

    def decode(self, hidden):
        i = 0
        while i < 3:
            hidden = self.cell(hidden, hidden)
            i += 1
        return hidden


model = Stack(3).to(device)
print(model(torch.randn(2, 8).to(device)).mean().item())
