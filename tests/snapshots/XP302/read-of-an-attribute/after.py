import torch
import torch_xla


class Trainer:
    def fit(self, model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=1)
        for x in loader:
            loss = model(x).mean()
            self.total += loss.item()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
