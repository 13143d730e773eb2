# planted: recompile@cause seen@barrier
# Texts as long as the longest of each batch, in a function of the trainer's.
# says: tokens: s64[4,
# says: pad to one of a few lengths
import random

import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
torch.manual_seed(0)
random.seed(1)
model = nn.Sequential(nn.Embedding(50, 8), nn.Linear(8, 50)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
texts = [torch.randint(0, 50, (random.randint(5, 60),)) for _ in range(64)]


def collate(rows):
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)


def train(loader):
    for tokens in loader:
        tokens = tokens.to(device)  # <- cause
        optimizer.zero_grad()
        logits = model(tokens[:, :-1])
        nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()).backward()
        optimizer.step()
        torch_xla.sync()  # <- barrier


train(DataLoader(texts, batch_size=4, collate_fn=collate))
