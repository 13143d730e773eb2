import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8)
        self.rnn = nn.GRU(8, 8, bidirectional=True)
        self.out = nn.Linear(16, 100)

    def forward(self, source, source_lengths):
        embedded = self.embed(source)
        packed = pack_padded_sequence(embedded, source_lengths.to("cpu"), enforce_sorted=False)
        outputs, hidden = self.rnn(packed)
        outputs, _ = pad_packed_sequence(outputs)
        return outputs, hidden


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 8, batch_first=True)

    def forward(self, features, captions, lengths):
        hidden, _ = self.rnn(nn.utils.rnn.pack_padded_sequence(captions, lengths, batch_first=True))
        return hidden[0]


device = torch.device("cuda")
encoder, decoder = Encoder().to(device), Decoder().to(device)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
for images, captions, lengths in torch.utils.data.DataLoader([(0, torch.zeros(4), 4)] * 64, batch_size=8):
    images, captions = images.to(device), captions.to(device)
    targets = pack_padded_sequence(captions, lengths, batch_first=True)[0]
    rows = pack_sequence([row for row in captions])
    outputs, _ = encoder(captions, lengths)
    loss = decoder(images, outputs, lengths).sum() + targets.sum() + rows.data.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
