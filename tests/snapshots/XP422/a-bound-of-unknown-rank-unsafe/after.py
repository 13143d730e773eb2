import torch


def slice_segments(x, ids_str, segment_size=4):
  ret = torch.zeros_like(x[:, :, :segment_size])
  for i in range(x.size(0)):
    idx_str = ids_str[i]
    idx_end = idx_str + segment_size
    ret[i] = x.index_select(2, torch.arange(segment_size, device=x.device) + idx_str)[i, :, :]
  return ret


def rand_slice_segments(x, x_lengths=None, segment_size=4):
  b, d, t = x.size()
  if x_lengths is None:
    x_lengths = t
  ids_str_max = x_lengths - segment_size + 1
  ids_str = (torch.rand([b]).to(device=x.device) * ids_str_max).to(dtype=torch.long)
  ret = slice_segments(x, ids_str, segment_size)
  return ret, ids_str
from torch import nn

class Net(nn.Module):
    def __init__(self, segment_size):
        super().__init__()
        self.segment_size = segment_size
        self.conv = nn.Conv1d(2, 2, 3, padding=1)

    def forward(self, x, x_lengths):
        z = self.conv(x)
        part, ids = rand_slice_segments(z, x_lengths, self.segment_size)
        return part, ids
from torch.utils.data import DataLoader, TensorDataset


def main():
    net = Net(4).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.randn(24, 2, 16), torch.full((24,), 16)), batch_size=4)
    for epoch in range(3):
        step(epoch, net, opt, loader)


def step(epoch, net, opt, loader):



    for x, lengths in loader:
        x, lengths = x.cuda(), lengths.cuda()
        y, ids = net(x, lengths)
        y2 = y * 2
        opt.zero_grad()
        (y - y2).pow(2).mean().backward()
        opt.step()


main()
