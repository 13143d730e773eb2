import torch
import torch.nn as nn
import torch_xla

device = torch_xla.device()
model = nn.Linear(5, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
shown = {}
hits = torch.zeros((), device=device)
noise = torch.zeros((), device=device)
for _ in range(8):
    inputs = torch.randn(8, 5).to(device)
    labels = torch.zeros(8, dtype=torch.long).to(device)
    outputs = model(inputs)
    loss = nn.functional.cross_entropy(outputs, labels)
    _, preds = torch.max(outputs.data, 1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    shown["loss"] = f"{loss.item():.4f}"
    del loss
    hits += torch.sum(preds == labels.data)
    noise += torch.rand((), device=device)
print(hits.item(), noise.item(), shown)
