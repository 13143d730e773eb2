import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Characters(nn.Module):
    def __init__(self):
        super().__init__()
        self.both = nn.LSTM(8, 8, batch_first=True, bidirectional=True)
        self.one = nn.GRU(16, 8, batch_first=True)

    def outputs(self, x, sizes):
        packed = pack_padded_sequence(x, sizes, batch_first=True)
        found, _ = self.both(packed)
        return pad_packed_sequence(found, batch_first=True)[0]

    def last(self, x, sizes):
        found, (hidden, cell) = self.both(pack_padded_sequence(x, sizes.cpu().numpy(), batch_first=True))
        return hidden[-1]

    def forward(self, x, sizes):
        found, hidden = self.one(pack_padded_sequence(x, sizes.tolist(), batch_first=True), None)
        found = pad_packed_sequence(found, batch_first=True)[0]
        return self.outputs(found, sizes), self.last(found, sizes)


device = torch.device("cuda")
model = Characters().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, sizes in torch.utils.data.DataLoader([(torch.zeros(9, 8), 9)] * 64, batch_size=8):
    found, hidden = model(x.to(device), sizes)
    loss = found.sum() + hidden.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
