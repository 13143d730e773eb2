import torch
import torch_xla
from torch import nn

device = torch_xla.device()
def step(model, optimizer, x):
    try:
        loss = model(x).mean()
        loss.backward()
    except Exception as error:
        print("skipped:", error)
        return None
    finally:
        optimizer.zero_grad()
    return loss


model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for n in range(4):
    loss = step(model, optimizer, torch.ones(4, 8).to(device))
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
