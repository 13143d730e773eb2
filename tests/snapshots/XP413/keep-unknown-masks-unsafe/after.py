import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def collate(batch):
    return pad_sequence([torch.tensor(x) for x in batch], batch_first=True)


device = torch.device("cuda")
model = nn.Embedding(100, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader([[3, 4], [5]] * 32, batch_size=8, collate_fn=collate)
for ids in loader:
    loss = model(ids.to(device)).mean()  # of all positions
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
