import torch
from torch.utils.data import DataLoader, TensorDataset

from engine import train_one_epoch

gpu = None
if gpu is not None:
    device = torch.device(f"cuda:{gpu}" if gpu is not None else "cuda")
else:
    print("this will be slow")
    device = torch.device("cpu")
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8)
train_one_epoch(model, optimizer, loader, device)
