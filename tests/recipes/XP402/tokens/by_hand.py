import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(32, 8)
        self.head = nn.Linear(8, 32)

    def forward(self, tokens):
        x = self.embed(tokens)
        seen = torch.ones(tokens.size(1), tokens.size(1), device=tokens.device).tril()
        return self.head((seen / seen.sum(1, keepdim=True)) @ x)


device = torch_xla.device()
model = Net().to(device).eval()
@torch.no_grad()
def generate(tokens, steps):
    position = torch.tensor([tokens.size(1)], device=tokens.device)
    tokens = torch.nn.functional.pad(tokens, (0, steps))
    for _ in range(steps):
        logits = model(tokens).index_select(1, position - 1).squeeze(1)
        token = logits.argmax(-1, keepdim=True)
        tokens.index_copy_(1, position, token)
        position += 1
        torch_xla.sync()
    return tokens


print(generate(torch.tensor([[1, 2, 3]]).to(device), 5).tolist())
