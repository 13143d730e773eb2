import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(2, 64, 4, device=device))
        self.register_buffer("others", torch.zeros(2, 64, 4, device=device))
        self.place = 0
        self.left = 64

    def forward(self, new):
        n = new.shape[1]
        over = self.place + n - 64
        if over > 0:
            self.keys[:, :-over, :] = self.keys[:, over:, :].clone()
            self.keys[:, over:] = self.keys[:, :-over].clone()
            self.others[:, :-over] = self.keys[:, over:]
            self.keys[:1, :-over] = self.keys[1:, over:]
            self.place -= over
        self.keys[:, self.place : self.place + n] = new
        self.others[:, self.left - n :] = new
        self.left -= n
        self.place += n
        return self.keys.sum()


cache = Cache().to(device)
for step in range(64):
    loss = model(cache(torch.ones(2, 3, 4, device=device)))
    loss.backward()
    optimizer.step()
