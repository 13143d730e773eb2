import torch
from torch import nn


class Pieces(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8)

    def forward(self, pieces):
        mask = pieces != 0
        sizes = mask.sum((1, 2))
        words = nn.utils.rnn.pad_sequence(pieces[mask].split(sizes.tolist()), batch_first=True)
        groups = pieces.flatten().split(sizes.tolist())
        return self.embed(words), groups


device = torch.device("cuda")
model = Pieces().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for pieces in torch.utils.data.DataLoader(torch.ones(64, 9, 3).long(), batch_size=8):
    loss = model(pieces.to(device))[0].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
