import torch
import torch_xla

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
total = 0.0
for i, x in enumerate(torch.utils.data.DataLoader([])):
    loss = model(x).mean()
    total += loss.item()
    loss.backward()
    if i % 2:
        continue
    optimizer.step()
    torch_xla.sync()
