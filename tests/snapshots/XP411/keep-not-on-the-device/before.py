import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda")


class Signals(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        signal = torch.randn(16) * i
        return torch.fft.rfft(signal).abs(), signal.median()


class Histogram:
    def median(self):
        return 0.0

    def bincount(self, values):
        return np.bincount(values)


def histc(values, bins):
    return values[:bins]


model = nn.Linear(9, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
shown = Histogram()
start = torch.median(model.weight)  # once, before the steps
for step, (waves, middle) in enumerate(DataLoader(Signals(), batch_size=8)):
    waves = np.fft.rfft(waves.numpy())
    order = np.median(np.searchsorted(np.arange(9), [1, 2]))
    host = torch.median(middle)  # not moved
    on_host = middle.histc(4)
    out = model(middle.to(device))
    first = histc(out, 4)
    other = shown.median() + shown.bincount([1, 2]).sum()
    loss = first.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(out.median())
