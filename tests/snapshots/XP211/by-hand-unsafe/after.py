import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("xla")
loader = DataLoader(TensorDataset(torch.randn(192, 8), torch.randint(0, 3, (192,))), batch_size=16)
model = nn.Linear(8, 3).to(device).eval()


@torch.no_grad()
def evaluate(batches):
    outputs = [model(batch.to(device)) for batch in batches]
    pairs = [(model(x.to(device)), y.numpy()) for x, y in loader]
    return outputs, pairs
