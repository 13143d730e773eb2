import torch
from torch import nn

layer = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2), 2)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
mask = nn.Transformer.generate_square_subsequent_mask(8)

for epoch in range(3):
    layer = layer.to("xla")
    for x in torch.utils.data.DataLoader(torch.randn(64, 8, 16)):
        optimizer.zero_grad()
        layer(x, mask).mean().backward()
        optimizer.step()
