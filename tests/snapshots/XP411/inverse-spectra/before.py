import torch
from torch import nn


class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(8, 8))

    def forward(self, x):
        kernel = torch.fft.ifft2(self.weight).real
        rows = torch.fft.ifft(self.weight).real
        smooth = torch.fft.irfft2(torch.fft.rfft2(x) * 0.5)
        return x * kernel + rows + smooth


layer = Filter().to("cuda")
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(64, 8, 8), batch_size=8):
    layer(x.to("cuda")).sum().backward()
    optimizer.step()
