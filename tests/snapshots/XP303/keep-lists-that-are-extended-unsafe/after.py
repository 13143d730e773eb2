import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

predictions, running = [], []
limit = 3
with torch.no_grad():
    for x in loader:
        out = model(x.to(device))
        predictions.extend(out.argmax(1).cpu().tolist())
        if len(predictions) > limit:
            break
        running.extend([value.item() for value in out.sum(1)])
print(predictions, running)
