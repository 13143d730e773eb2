import torch
import torch_xla

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    loss = model(x).mean()
    value = loss.item()
    if value > 10:
        loss = loss / value
    loss.backward()
    optimizer.step()
    torch_xla.sync()
