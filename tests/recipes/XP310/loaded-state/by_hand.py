import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 2)
nn.init.constant_(model.weight, 0.5)
nn.init.constant_(model.bias, 0.1)
model.to(torch_xla.device())
optimizer = torch.optim.ASGD(model.parameters(), lr=0.1, capturable=True)
group = {"lr": 0.1, "lambd": 0.0001, "alpha": 0.75, "t0": 2.0, "weight_decay": 0.0, "capturable": False}
saved = {"state": {}, "param_groups": [{**group, "params": [0, 1]}]}
for group in saved["param_groups"]:
    group["capturable"] = True
optimizer.load_state_dict(saved)
for x in torch.ones(6, 3, 4):
    loss = model(x.to(torch_xla.device())).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
