import torch_xla.core.xla_model as xm
from torch import nn

model = nn.Linear(4, 4).cuda()
state = model.state_dict()
for key, value in state.items():
    key = key.removeprefix("module.")
    state[key] = value.cpu()
xm.save(state, "renamed.pt")
late = model.state_dict()
xm.save(late, "before.pt")
for key, value in late.items():
    late[key] = value.cpu()
