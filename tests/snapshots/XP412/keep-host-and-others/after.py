import numpy as np
import pandas as pd
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
table = pd.DataFrame({"label": [0, 1]})
data = torch.randn(64, 4)
names = np.unique(np.arange(3))
everything = data.to(device)
known = torch.nonzero(everything.sum(1) > 0)  # once, before the steps
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    kinds = torch.unique(labels)  # a tensor of the host
    array = labels.numpy()
    places = np.nonzero(array)[0]
    several = np.where(array > 0)
    count = len(array.nonzero()[0])
    also = table.label.unique()
    x = model(batch.to(device))
    loss = x.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if count % 100 == 0:
        print(len(x.nonzero()), kinds, places, several, also, names, known)
