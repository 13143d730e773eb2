import torch
from torch import nn
from torchtext.data import BucketIterator, Field

TEXT = Field(tokenize=str.split, lower=True)
device = torch.device("cuda")
model = nn.Embedding(100, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train_iterator = BucketIterator([], batch_size=8, device=device, train=True)
train, test = BucketIterator.splits(([], []), batch_size=8, device=device)
for batch in train_iterator:
    loss = model(batch.text).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
