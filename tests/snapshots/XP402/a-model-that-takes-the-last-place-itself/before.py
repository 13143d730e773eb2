import torch
from torch import nn


class Speaker(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8)
        self.head = nn.Linear(8, 100)

    def forward(self, tokens, past=None):
        hidden = self.embed(tokens)
        return self.head(hidden[:, [-1], :]), past


class Writer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8)
        self.head = nn.Linear(8, 100)

    def forward(self, tokens, wanted=None):
        hidden = self.embed(tokens)
        if wanted is None:
            return self.head(hidden[:, [-1], :]), None
        scores = self.head(hidden)
        return scores, nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten())

    @torch.no_grad()
    def write(self, tokens, new):
        for _ in range(new):
            scores, _ = self(tokens)
            scores = scores[:, -1, :] / 0.8  # one place again
            drawn = torch.multinomial(scores.softmax(-1), 1)
            tokens = torch.cat((tokens, drawn), dim=1)
        return tokens


held = {"speaker": Speaker().cuda()}
speaker = Speaker().cuda()


@torch.no_grad()
def out_of_sight(tokens, new):
    tokens = tokens.cuda()
    model, past = held["speaker"], None
    for _ in range(new):
        part = tokens[:, [-1]] if past is not None else tokens
        logits, past = model(part, past=past)
        token = logits[:, 0].argmax(-1, keepdim=True)
        tokens = torch.cat((tokens, token), dim=1)
    return tokens


@torch.no_grad()
def added_to(model, tokens: torch.Tensor, new):
    tokens = tokens.cuda()
    for _ in range(new):
        hidden = model.embed(tokens)
        hidden += model.places(tokens)
        token = model.head(hidden)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat((tokens, token), dim=1)
    return tokens


@torch.no_grad()
def in_sight(tokens, new):
    tokens = tokens.cuda()
    for _ in range(new):
        logits, _ = speaker(tokens)
        logits = logits[:, -1]  # that is the one place there is
        token = logits.argmax(-1, keepdim=True)
        tokens = torch.cat((tokens, token), dim=1)
    return tokens


out_of_sight(torch.zeros(1, 4).long(), 8)
in_sight(torch.zeros(1, 4).long(), 8)
Writer().cuda().write(torch.zeros(1, 4).long().cuda(), 8)
