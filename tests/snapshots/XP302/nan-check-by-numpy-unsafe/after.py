import numpy as np
import torch
import torch_xla

model = torch.nn.Linear(2, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for x in torch.utils.data.DataLoader([]):
    loss = model(x.to("xla")).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if np.isnan(loss):
        raise ValueError("nan")
