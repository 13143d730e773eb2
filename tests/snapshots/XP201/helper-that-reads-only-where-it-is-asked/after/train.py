import torch
import torch_xla
from torch.utils.data import DataLoader, TensorDataset
from lib import closure_step, evaluate, net, device
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(400, 8), torch.zeros(400).long()), batch_size=4, drop_last=True)
for x, y in loader:
    closure_step(x.to(device), y.to(device), opt)
    torch_xla.sync()
evaluate()
