import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def pack_sequence(rows):
    return rows


device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, lengths in torch.utils.data.DataLoader([(torch.zeros(4, 4), 4)] * 64, batch_size=8):
    packed = pack_padded_sequence(batch, lengths, batch_first=True)  # on the host
    x = model(pack_sequence(batch).to(device))
    loss = x.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(len(packed.data))
