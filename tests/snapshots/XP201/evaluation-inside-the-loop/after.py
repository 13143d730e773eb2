import torch
import torch_xla

torch.set_default_device("cuda")

model = torch.nn.Linear(2, 2)
model.eval()
for x, y in torch.utils.data.DataLoader([]):
    with torch.no_grad():
        out = model(x)
        print((out - y).abs().sum().item())
        torch_xla.sync()
