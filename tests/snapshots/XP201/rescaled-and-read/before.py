import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 3)

    def decode(self, style):
        return self.layer(style)


generator = Generator().cuda()
decode = generator.decode
with torch.no_grad():
    for style in [torch.randn(4, 8).cuda() for _ in range(10)]:
        images = decode(style)
        images = (images + 1) / 2
        scale = 1 / 2
        print(images.cpu().mean(), scale)
