import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 10).to(device)
shown = 0
with torch.no_grad():
    for x, y in DataLoader([(torch.randn(4), i % 10) for i in range(64)], batch_size=16):
        found = model(x.to(device)).argmax(1)
        right = y.to(device)
        correct = (found == right).cpu()
        for i in range(x.size(0)):
            if not correct[i] and shown < 5:
                shown += 1
                print("claims %d but is %d" % (found[i], right[i]))
