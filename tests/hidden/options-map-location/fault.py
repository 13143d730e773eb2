"""The options of torch.load are a dict with a device of the options."""
import torch
from torch import nn

path = "/tmp/hidden_map_location.pt"
options = {"load": {"map_location": "cuda"}, "lr": 0.1}  # or: XP701|XP103


def restore(module, file, settings):
    module.load_state_dict(torch.load(file, **settings["load"]))  # wants: XP701


first = nn.Linear(4, 4)
torch.save(first.state_dict(), path)
model = nn.Linear(4, 4).cuda()
restore(model, path, options)
optimizer = torch.optim.SGD(model.parameters(), lr=options["lr"])
for _ in range(8):
    loss = model(torch.randn(4, 4).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
