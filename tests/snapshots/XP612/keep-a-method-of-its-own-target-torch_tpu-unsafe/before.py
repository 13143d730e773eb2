import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def clip_grad_norm_(self, limit):
        return nn.utils.clip_grad_norm_(self.layer.parameters(), limit, norm_type=1)


model = Net()
norm = model.clip_grad_norm_(1.0)
print(model.state_dict(), model.module if hasattr(model, "module") else model)
