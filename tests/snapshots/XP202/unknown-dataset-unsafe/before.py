import torch
import torch_xla
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __getitem__(self, index):
        return torch.load(f"{index}.pt")


device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(Files(), batch_size=4, num_workers=2)
for x, y in loader:
    x, y = x.to(device), y.to(device)
    (model(x) - y).mean().backward()
    optimizer.step()
