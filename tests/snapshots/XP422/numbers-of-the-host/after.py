import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def forward(images, keep):
    tokens = [image.flatten(1) for image in images]
    lengths = torch.tensor([t.shape[0] for t in tokens], device=device)
    given = torch.tensor([t.sum() for t in tokens], device=device)
    if keep < 1:
        kept = (lengths * keep).int().clamp(min=1)
        tokens, lengths = [t[:1] for t in tokens], kept
    joined = torch.cat(tokens)
    parts = joined.split(lengths.tolist())
    others = joined.split(given.tolist())
    return model(parts[0]).sum() + others[0].sum()


for step in range(64):
    loss = forward([torch.zeros(3, 4, device=device)] * 4, 0.5)
    loss.backward()
    optimizer.step()
