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
    outputs.append((out * 2).argmax(1))
    arrays.append(out > 0)
    columns.append(out[:, 0].detach().clone())
    kepts.append(kept.detach().clone())
outputs = [value.cpu() for value in outputs]
first = outputs[0]
outputs = torch.cat(outputs)
print(outputs, np.concatenate([np.asarray(value.cpu()) for value in arrays]), np.concatenate([value.cpu().numpy() for value in columns]), [kept.item() for kept in kepts], first)
