import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.boxes, self.classes = nn.Linear(8, 16), nn.Linear(16, 4), nn.Linear(16, 3)

    def forward(self, x, box, label):
        h = torch.relu(self.body(x))
        return {
            "box": nn.functional.l1_loss(self.boxes(h), box),
            "class": nn.functional.cross_entropy(self.classes(h), label),
        }


def main():
    torch.manual_seed(72)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(96, 8), torch.rand(96, 4), torch.randint(0, 3, (96,)))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = Detector().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(4):
        logs = {"box": 0.0, "class": 0.0}
        for x, box, label in loader:
            loss_dict = model(x.to(device), box.to(device), label.to(device))
            losses = sum(loss for loss in loss_dict.values())
            optimizer.zero_grad()
            losses.backward()
            optimizer.step()
            for name, value in loss_dict.items():
                logs[name] += value.item()
        print(epoch, " ".join(f"{name}={total / 6:.4f}" for name, total in logs.items()))
    return {"model": model, "optimizer": optimizer, "logs": logs}


if __name__ == "__main__":
    main()
