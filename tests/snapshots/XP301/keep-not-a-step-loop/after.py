import torch

rows = []
for row in torch.ones(3, 2):
    rows.append(row.sum().item())
