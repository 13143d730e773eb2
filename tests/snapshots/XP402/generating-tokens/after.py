import torch
from torch import nn


class GPT(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.head = nn.Linear(8, 100)

    def forward(self, tokens):
        return self.head(tokens)

    @torch.no_grad()
    def generate(self, tokens, max_new_tokens, temperature=1.0):
        for _ in range(max_new_tokens):
            context = tokens if tokens.size(1) <= self.size else tokens[:, -self.size :]
            logits = self(context)[:, -1, :] / temperature
            token = torch.multinomial(torch.softmax(logits, dim=-1), num_samples=1)
            tokens = torch.cat((tokens, token), dim=1)
        return tokens


model = GPT(64).cuda()
