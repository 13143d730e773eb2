import torch
from nets import Pointwise
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def collate(rows):
    return pad_sequence(rows, batch_first=True)


device = torch.device("cuda")
model = Pointwise().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader([torch.ones(3), torch.ones(5)] * 9, batch_size=2, collate_fn=collate):
    loss = model(x.to(device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
