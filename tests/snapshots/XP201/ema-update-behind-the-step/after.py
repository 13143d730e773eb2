import torch
import torch_xla

torch.set_default_device("cuda")

model, ema = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for key, value in ema.state_dict().items():
            value.mul_(0.9).add_(model.state_dict()[key], alpha=0.1)
    torch_xla.sync()
    print(loss.item())
