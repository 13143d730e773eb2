"""The heir names no pairs, so nothing is tied."""
import torch
from torch import nn


class Tied:
    pairs = ()

    def tie(self):
        for target, source in self.pairs:
            setattr(getattr(self, target), "weight", getattr(self, source).weight)  # never: XP205


class Language(Tied, nn.Module):
    def __init__(self, vocabulary=50, width=16):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.mix = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.tie()  # never: XP205

    def forward(self, ids):
        return self.head(self.mix(self.words(ids))[0])


model = Language()
model.cuda()  # never: XP205
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(10):
    ids = torch.randint(50, (4, 13)).cuda()
    logits = model(ids[:, :-1])
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
