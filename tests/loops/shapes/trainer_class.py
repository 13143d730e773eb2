import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, train_loader, lr, device):
        self.device = device
        self.model = model.to(device)
        self.train_loader = train_loader
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()
        self.history = []

    def train_epoch(self):
        self.model.train()
        running_loss = 0.0
        for inputs, labels in self.train_loader:
            inputs, labels = inputs.to(self.device), labels.to(self.device)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(inputs), labels)
            loss.backward()
            self.optimizer.step()
            running_loss += loss.item()
        return running_loss / len(self.train_loader)

    def fit(self, epochs):
        for epoch in range(epochs):
            loss = self.train_epoch()
            self.history.append(loss)
            print(f"epoch {epoch + 1}/{epochs} loss {loss:.4f}")


def main():
    torch.manual_seed(14)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
    trainer = Trainer(nn.Linear(8, 3), DataLoader(data, batch_size=16, shuffle=True), 1e-2, device)
    trainer.fit(4)
    return {"model": trainer.model, "optimizer": trainer.optimizer, "history": trainer.history}


if __name__ == "__main__":
    main()
