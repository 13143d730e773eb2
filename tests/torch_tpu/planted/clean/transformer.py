import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)

vocabulary = nn.Embedding(32, 16).to(device)
encoder = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).to(device)
head = nn.Linear(16, 32).to(device)
parameters = [*vocabulary.parameters(), *encoder.parameters(), *head.parameters()]
optimizer = torch.optim.AdamW(parameters, lr=0.01)
mask = nn.Transformer.generate_square_subsequent_mask(6).to(device)
for step in range(8):
    tokens = torch.randint(0, 32, (4, 7)).to(device)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        scores = head(encoder(vocabulary(tokens[:, :-1]), mask))
    loss = nn.functional.cross_entropy(scores.flatten(0, 1).float(), tokens[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
