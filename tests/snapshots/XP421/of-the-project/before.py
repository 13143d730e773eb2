import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence


class Locked(nn.Module):
    """A layer that keeps its dropout over the places."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(8, 8)

    def forward(self, given, state):
        found, start = [], 0
        for size in given.batch_sizes.tolist():
            state = self.cell(given.data[start : start + size], tuple(part[:size] for part in state))
            found.append(state[0])
            start += size
        return PackedSequence(torch.cat(found), given.batch_sizes), state


class Tagger(nn.Module):
    def __init__(self, kind):
        super().__init__()
        if kind == "locked":
            self.encoder = Locked()
        else:
            self.encoder = nn.Linear(8, 8)

    def forward(self, x, mask):
        packed = pack_padded_sequence(x, mask.sum(1).tolist(), batch_first=True)
        found, _ = self.encoder(packed, (x[:, 0] * 0, x[:, 0] * 0))
        return pad_packed_sequence(found, batch_first=True)[0]


device = torch.device("cuda")
model = Tagger("locked").to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, mask in torch.utils.data.DataLoader([(torch.zeros(9, 8), torch.ones(9))] * 64, batch_size=8):
    loss = model(x.to(device), mask.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
