import torch
import torch_xla

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)


def step(x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    return loss.item()


for x in torch.utils.data.DataLoader([]):
    print(step(x))
