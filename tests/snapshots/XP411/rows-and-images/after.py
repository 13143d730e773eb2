import torch
import torch.nn.functional as F
from torch import nn


class Narrow(nn.Conv1d):
    """A convolution that begins small."""


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Narrow(4, 4, 3, padding=1)

    def forward(self, x):
        return self.inner(F.interpolate(x, scale_factor=2))


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x):
        return self.inner(F.interpolate(x, scale_factor=2))


class Spectra(nn.Module):
    def forward(self, x):
        low = torch.fft.rfft(x)[..., :4]
        flat = torch.fft.fft2(x.unsqueeze(0)).real
        return torch.fft.irfft(low, n=9), flat


device = torch.device("cuda")
rows, images, spectra = Rows().to(device), Images().to(device), Spectra().to(device)
optimizer = torch.optim.SGD([*rows.parameters(), *images.parameters()], lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(64, 4, 9), batch_size=8):
    x = rows(x.to(device))
    back, flat = spectra(x)
    loss = images(x.unsqueeze(-1)).sum() + back.sum() + flat.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
