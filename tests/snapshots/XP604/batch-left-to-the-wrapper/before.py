import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, dtype=torch.long))


class Trainer:
    def __init__(self):
        self.loader = DataLoader(data, batch_size=8)
        self.model = nn.DataParallel(nn.Linear(4, 2)).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train(self):
        for x, y in self.loader:
            y = y.cuda()
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def test(self):
        with torch.no_grad():
            for batch in self.loader:
                x, y = batch
                print((self.model(x).argmax(1) == y.cuda()).sum())


Trainer().train()
