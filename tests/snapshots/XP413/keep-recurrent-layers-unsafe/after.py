import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def make_collate(pad_index):
    def collate(batch):
        return pad_sequence([torch.tensor(x) for x in batch], padding_value=pad_index)

    return collate


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8)
        self.rnn = nn.LSTM(8, 8)

    def forward(self, ids):
        _, (hidden, _) = self.rnn(self.embed(ids))
        return hidden


device = torch.device("cuda")
model = Encoder().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader([[3, 4], [5]] * 32, batch_size=8, collate_fn=make_collate(0))
criterion = nn.CrossEntropyLoss(ignore_index=0)
for ids in loader:
    loss = model(ids.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
