import torch
import torch.nn.functional as F
from torch import nn


class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 8)

    def forward(self, words, scores):
        valid = words != 0
        sizes = valid.sum(1)
        rows = torch.split(words[valid], sizes.tolist())
        joined = nn.utils.rnn.pad_sequence(rows, batch_first=True)

        first = words[0]
        known = first > 3
        table = first[known]
        drawn = torch.randint(0, 5, (16,), device=words.device)
        negatives = table[drawn]

        confident = scores > 0.5
        best = scores[confident].topk(2)[1]
        chosen = self.embed(words[confident])[best]

        padded = words.new_zeros(2, 9)
        strong = words[1] > 50
        picked = words[1][strong]
        padded[0, : picked.size(0)] = picked
        fixed = words[words > 9].split(4)
        return self.embed(joined), self.embed(negatives), chosen, padded, fixed


device = torch.device("cuda")
model = Sampler().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for words, scores in torch.utils.data.DataLoader([(torch.ones(9).long(), torch.zeros(9))] * 64, batch_size=8):
    loss = sum(part.float().sum() for part in model(words.to(device), scores.to(device))[:4])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
