import torch
import torch_xla


class Trainer:
    def fit(self, model, loader):
        optimizer = torch.optim.SGD(model.parameters(), lr=1)
        for x in loader:
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            self.total += loss.item()
