import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

predictions, labels, scores = [], [], []
with torch.no_grad():
    for x in loader:
        out = model(x.to(device))
        predictions.extend(out.argmax(1).cpu().tolist())
        labels += (out > 0).any(dim=1).tolist()
        scores.extend(out.softmax(dim=1)[:, 1].cpu().numpy().flatten())
print(len(predictions), sum(labels), scores)
