"""The collate function goes through two functions' keywords, as a lambda around pad_sequence."""
import torch
from torch import nn
from torch.nn.utils import rnn
from torch.utils import data


def loader(source, **options):
    return data.DataLoader(source, batch_size=8, drop_last=True, **options)


def speech_loader(clips, **extra):
    join = lambda items: rnn.pad_sequence(items, batch_first=True)  # wants: XP413
    return loader(clips, collate_fn=join, **{"shuffle": True, **extra})


clips = [torch.randn(20 + (n * 13) % 50, 4) for n in range(64)]
net = nn.GRU(4, 8, batch_first=True).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for clip in speech_loader(clips, num_workers=0):
    loss = net(clip.cuda())[0].abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
