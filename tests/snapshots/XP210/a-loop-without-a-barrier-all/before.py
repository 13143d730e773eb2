import time

import torch

device = torch.device("cuda")
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

start = time.time()
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
print("epoch:", time.time() - start)
