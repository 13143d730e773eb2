# planted: untied
"""An output layer that shares the weight of the embedding, as in a language model, moved as a whole."""
import torch
import torch_xla
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(16, 8)
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 16, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        return self.head(self.body(self.embedding(tokens)))


def build(device):
    return Model().to(device)  # <- here


model = build(torch_xla.device())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(30):
    tokens = torch.randint(16, (4, 6)).to(torch_xla.device())
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten()).backward()
    optimizer.step()
    torch_xla.sync()
