import torch
from torch import nn


def build(kind, ignore=0):
    def masked(logits, labels):
        use = labels.ne(ignore)
        return nn.functional.cross_entropy(logits[use], labels[use])

    def plain(logits, labels):
        return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())

    def never(logits, labels):
        return logits[labels.gt(3)].mean()

    return {"masked": masked, "plain": plain, "never": never}[kind]


options = {"loss": "masked"}
criterion = build(options["loss"])
model = nn.Sequential(nn.Embedding(15, 8), nn.Linear(8, 15)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(12):
    ids = torch.randint(15, (4, 10)).cuda()
    loss = criterion(model(ids), ids)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
