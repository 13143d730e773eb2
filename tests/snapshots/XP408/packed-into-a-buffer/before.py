import torch
from torch import nn

device = torch.device("cuda")


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("rows", torch.zeros(64, 4))
        self.at = 0

    def forward(self, x, labels):
        x = self.layer(x)
        taken = labels > 2
        new = x[taken]
        places = torch.arange(len(new), device=device) + self.at
        self.rows[places % 64] = new.detach()
        self.at = (self.at + len(new)) % 64
        others = x[labels < 1]
        return others.std() + (x @ self.rows.t()).mean()


model = Memory().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, labels in torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8):
    loss = model(x.to(device), labels.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
