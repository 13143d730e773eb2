import numpy as np
import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def norms():
    weights = 0.0
    grads = 0.0
    for p in model.parameters():
        with torch.no_grad():
            weights += torch.norm(p, p=2, dtype=torch.float32).item() ** 2
            grads += torch.norm(p.grad, p=2, dtype=torch.float32).item() ** 2
    return np.sqrt(weights), np.sqrt(grads)


def with_history():
    weights = 0.0
    for p in model.parameters():
        weights += torch.norm(p, p=2, dtype=torch.float32).item() ** 2
    return np.sqrt(weights)


for x in torch.utils.data.DataLoader(torch.randn(16, 4), batch_size=4):
    optimizer.zero_grad()
    model(x.to(device)).mean().backward()
    optimizer.step()
    torch_xla.sync()
    print(norms(), with_history())
