# After each epoch a sample of fixed length is drawn, with a loop and a graph of its own.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
embed, head = nn.Embedding(16, 8).to(device), nn.Linear(8, 16).to(device)
optimizer = torch.optim.SGD([*embed.parameters(), *head.parameters()], lr=0.1)


@torch.no_grad()
def sample(length):
    token, text = torch.zeros(1, dtype=torch.long).to(device), []
    for _ in range(length):
        token = head(embed(token)).argmax(-1)
        text.append(token)
        torch_xla.sync()
    return torch.cat(text).tolist()


for epoch in range(2):
    for step in range(6):
        tokens = torch.randint(16, (4,)).to(device)
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(embed(tokens)), tokens).backward()
        optimizer.step()
        torch_xla.sync()
    print(sample(6))
