import torch
import torch_xla
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(2, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def measure(out, y, weight):
    hits = (out.argmax(1) == y).sum()
    return {"accuracy": hits.item() / len(y), "hits": hits.item(), "share": float(hits), "rounded": round(weight, 2)}


def train_step(x, y):
    out = model(x)
    loss = F.cross_entropy(out, y)
    log = {"loss": 2 * loss.item(), "short": round(loss.item(), 4)}
    log.update(measure(out, y, 0.5))
    log["array"] = loss.detach().cpu().numpy()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    return log


for x, y in DataLoader(TensorDataset(torch.rand(8, 2), torch.zeros(8, dtype=torch.long)), batch_size=4):
    print(train_step(x.to(device), y.to(device)))
