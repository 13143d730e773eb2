import torch
import torch_xla
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8)), batch_size=4)
with torch.no_grad():
    for x, y in loader:
        out = model(x.to(device)).cpu() - y
