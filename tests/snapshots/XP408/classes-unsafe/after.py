import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)

head = nn.Linear(4, 4).to(device)


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)
        self.bias = nn.Parameter(torch.zeros(4))

    def forward(self, features):
        x = self.norm(F.gelu(self.dense(features)))
        return head(x) * 2 + self.bias


class Centred(nn.Module):
    def forward(self, features):
        return features - features.mean(0)


own, centred = Head().to(device), Centred().to(device)
criterion = nn.CrossEntropyLoss()
padded = nn.CrossEntropyLoss(ignore_index=0, reduction="sum")

for inputs, labels in loader:
    inputs, labels = inputs.to(device), labels.to(device).long()
    logits = model(inputs)
    kept = labels != -100
    loss = F.cross_entropy(torch.where(kept.unsqueeze(-1), logits, 0).flatten(0, -2), torch.where(kept, labels, -100).flatten())
    loss += criterion(torch.where(kept.unsqueeze(-1), logits, 0).flatten(0, -2), torch.where(kept, labels, -100).flatten())
    loss += padded(logits[kept].view(-1, 4), labels[kept].view(-1))
    loss += F.nll_loss(torch.where(kept.unsqueeze(-1), logits.log_softmax(-1), 0).flatten(0, -2), torch.where(kept, labels, 1).flatten(), ignore_index=1)
    hidden = F.gelu(torch.where(kept.unsqueeze(-1), logits, 0))
    loss += criterion(head(hidden).flatten(0, -2), torch.where(kept, labels, -100).flatten())
    scores = own(torch.where(kept.unsqueeze(-1), logits, 0))
    loss += criterion(scores.flatten(0, -2), torch.where(kept, labels, -100).flatten())
    loss += criterion(centred(logits[kept]), labels[kept])
    right = (logits[kept].argmax(-1) == labels[kept]).sum()
    right += (kept & logits.argmax(-1).eq(labels)).sum()
    loss.backward()
    optimizer.step()
    loader.last = right
