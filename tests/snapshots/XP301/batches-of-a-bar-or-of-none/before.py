import sys

import torch
from data import dataset
from torch.utils.data import DataLoader
from tqdm import tqdm

show = "--show" in sys.argv
model = torch.nn.Linear(8, 1).to("xla")
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
loader = DataLoader(dataset, batch_size=12, drop_last=True)
batches = tqdm(enumerate(loader), total=len(loader)) if show else enumerate(loader)
for i, (x, y) in batches:
    y = y.to("xla")
    loss = model(x.to("xla")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if float(y.max()) > i:
        break
