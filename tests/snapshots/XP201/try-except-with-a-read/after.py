import torch
import torch_xla

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    try:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        print(loss.item())
    except RuntimeError as error:
        print("out of memory", error)
        continue
