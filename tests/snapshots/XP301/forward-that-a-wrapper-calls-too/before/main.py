import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
    def forward(self, x, t=None):
        if t > 0.5:
            x = x * 2
        return self.fc(x) * float(t)

net = Net().to(device)
model = nn.DataParallel(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(400, 8), torch.rand(400)), batch_size=4, drop_last=True)
for x, t in pl.MpDeviceLoader(loader, device):
    loss = model(x, t.mean()).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(net(torch.randn(2, 8).to(device), 0.3).mean().item())
