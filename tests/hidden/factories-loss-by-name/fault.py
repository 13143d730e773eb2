"""A factory returns a loss function that selects by a mask."""
import torch
from torch import nn


def build_loss(kind, ignore=0):
    def masked(logits, labels):
        use = labels.ne(ignore)
        return nn.functional.cross_entropy(logits[use], labels[use])  # wants: XP408|XP412

    def plain(logits, labels):
        return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())

    return {"masked": masked, "plain": plain}[kind]


criterion = build_loss("masked")
model = nn.Sequential(nn.Embedding(15, 8), nn.Linear(8, 15)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(12):
    ids = torch.randint(15, (4, 10)).cuda()
    loss = criterion(model(ids), ids)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
