import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def policies(self):
        weights = [p for m in self.modules() if isinstance(m, nn.Linear) for p in m.parameters()]
        return [{"params": weights, "name": "weights"}]


model = Net()
model.to(torch_xla.device())
policies = model.policies()
model = nn.DataParallel(model).cuda()
optimizer = torch.optim.SGD(policies, lr=0.1)
for x in torch.utils.data.DataLoader(torch.rand(8, 4), batch_size=4, drop_last=True):
    optimizer.zero_grad()
    model(x.cuda()).sum().backward()
    optimizer.step()
