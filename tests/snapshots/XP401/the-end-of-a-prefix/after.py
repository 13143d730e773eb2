import torch
from torch import nn


class Translator(nn.Module):
    def __init__(self, model, length):
        super().__init__()
        self.model = model
        self.length = length

    def decode(self, tokens, memory):
        out = self.model(tokens, memory)
        return torch.softmax(out, dim=-1)

    def best(self, tokens, scores, step):
        token = scores[:, -1, :].argmax(-1)
        tokens[:, step] = token
        return tokens

    @torch.no_grad()
    def translate(self, memory: torch.Tensor):
        tokens = torch.zeros(1, self.length, dtype=torch.long, device="cuda")
        others = torch.zeros(1, self.length, dtype=torch.long, device="cuda")
        for step in range(1, self.length):
            scores = self.decode(tokens[:, :step], memory)
            tokens = self.best(tokens, scores, step)
            whole = self.model(others[:, : step + 1], memory)
            others[:, -1] = whole.mean(1)[:, 0].long() + whole[..., -1].sum().long()
        return tokens, others


model = Translator(nn.Linear(8, 8), 64).cuda()
model.translate(torch.zeros(1, 8).cuda())
