import torch
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2), 2)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
mask = nn.Transformer.generate_square_subsequent_mask(5)
for _ in range(10):
    loss = encoder(torch.zeros(5, 3, 16), mask).mean()
    loss.backward()
    optimizer.step()
