import torch
import torch_xla
from torch import nn


class EMA(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.online_model = model
        self.ema_model = nn.Linear(4, 1)


model = nn.Linear(4, 1)
model.to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ema = EMA(model)
ema.to("cuda")
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    optimizer.zero_grad()
    loss = model(x.to("cuda")).mean()
    loss.backward()
    optimizer.step()
