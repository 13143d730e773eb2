import random

import torch
from torch import nn


class Translator(nn.Module):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def forward(self, source, target, ratio: float = 0.5):
        state = source.mean(0)
        token = target[0]
        outputs = []
        for t in range(1, 20):
            out = torch.tanh(state + token)
            outputs.append(out)
            forced = random.random() < ratio
            token = target[t] if forced else out.argmax(1)
        return torch.stack(outputs)


model = Translator(nn.Linear(8, 8), nn.Linear(8, 8)).cuda()
