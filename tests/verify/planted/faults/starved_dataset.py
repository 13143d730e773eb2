# planted: starved note
# A data set that takes its time for each sample: the device waits for the host in every step.
import time

import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    def __len__(self):
        return 56

    def __getitem__(self, index):
        time.sleep(0.05)
        return torch.randn(8)


device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(Slow(), batch_size=4):
    optimizer.zero_grad()
    model(x.to(device)).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()  # <- here
