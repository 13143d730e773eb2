import torch
from torch import nn
from torch.cuda.amp import autocast
from torch.utils.data import DataLoader, TensorDataset


def magnitudes(y):
    window = torch.hann_window(16).to(dtype=y.dtype, device=y.device)
    return torch.view_as_real(torch.stft(y, 16, 4, 16, window=window, center=False, return_complex=True)).norm(dim=-1)


net = nn.Linear(64, 64).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for (y,) in DataLoader(TensorDataset(torch.randn(32, 64)), batch_size=8, drop_last=True):
    with autocast():
        loss = magnitudes(net(y.cuda())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
