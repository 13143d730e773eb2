import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

class Learner:
    def __init__(self):
        self.running = torch.zeros((), device=device)

    def step(self, batch):
        optimizer.zero_grad()
        out = model(batch.to(device))
        loss = out.mean()
        loss.backward()
        optimizer.step()
        self.running.mul_(0.9).add_(loss.detach())
        hits = (out > 0).sum()
        return loss.detach(), hits, len(batch), self.running.clone()


learner = Learner()
total = torch.tensor([0.0], device=device)
correct = torch.tensor([0], device=device)
count = 0
means = []
for x in loader:
    loss, hits, n, mean = learner.step(x)
    total += loss * n
    correct += hits
    count += n
    means.append(mean)
correct = correct.item()
print(total.item() / count, correct / count, correct, [mean.item() for mean in means])
