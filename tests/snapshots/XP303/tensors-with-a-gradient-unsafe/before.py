import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import numpy as np

outputs, arrays, columns, kept = [], [], [], torch.nn.Parameter(torch.zeros((), device=device))
kepts = []
for x in loader:
    out = model(x.to(device))
    loss = out.mean() + kept
    loss.backward()
    optimizer.step()
    outputs.append((out * 2).argmax(1).cpu())
    arrays.append(np.asarray((out > 0).cpu()))
    columns.append(out[:, 0].detach().cpu().numpy())
    kepts.append(kept.item())
first = outputs[0]
outputs = torch.cat(outputs)
print(outputs, np.concatenate(arrays), np.concatenate(columns), kepts, first)
