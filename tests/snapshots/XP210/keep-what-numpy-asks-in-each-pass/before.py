"""NumPy's question waits for the device in each pass, before the clock is asked."""

import time

import numpy as np
import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
end = time.time()
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if np.isnan(loss.detach()):
        raise ValueError("nan")
    print("batch", time.time() - end)
    end = time.time()
