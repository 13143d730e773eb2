import torch
import torch_xla

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    loss = model(x).mean()
    loss.backward()
    w = model.weight.mean()
    optimizer.step()
    torch_xla.sync()
    w = w.item()
    print(w)
