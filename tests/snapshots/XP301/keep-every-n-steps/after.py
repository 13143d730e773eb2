import torch

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for i, x in enumerate(torch.utils.data.DataLoader([])):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    if i % 10 == 0:
        print(loss.item())
