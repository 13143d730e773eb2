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
        predictions.append(out.argmax(1))
        labels.append((out > 0).any(dim=1))
        scores.append(out.softmax(dim=1)[:, 1].clone())
predictions = [value for batch in predictions for value in batch.cpu().tolist()]
labels = [value for batch in labels for value in batch.tolist()]
scores = [value for batch in scores for value in batch.cpu().numpy().flatten()]
print(len(predictions), sum(labels), scores)
