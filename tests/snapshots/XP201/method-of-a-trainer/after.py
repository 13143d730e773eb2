import torch
import torch_xla


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def fit(self, epochs):
        for epoch in range(epochs):
            for x in self.loader:
                self.optimizer.zero_grad()
                loss = self.model(x).mean()
                loss.backward()
                self.optimizer.step()
                torch_xla.sync()
            print(epoch, loss.item())
