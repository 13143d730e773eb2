# planted: untied
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(32, 8)
        self.out = nn.Linear(8, 32, bias=False)
        self.out.weight = self.tokens.weight

    def forward(self, tokens):
        return self.out(self.tokens(tokens))


model = Decoder()
model = model.to(device)  # <- here
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for step in range(8):
    tokens = torch.randint(0, 32, (4, 6)).to(device)
    loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
