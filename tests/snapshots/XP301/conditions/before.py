import torch

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    loss = model(x).mean()
    if torch.isnan(loss):
        continue
    assert loss > 0
    loss.backward()
    optimizer.step()
