import torch

torch.set_default_device("cuda")

best = 9.0
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    if loss.item() < best:
        best = loss.item()
