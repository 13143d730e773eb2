import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2).to(device)
torch.save(model, "best.pt")
model = torch.load("best.pt", weights_only=False)
model.eval()
output = model(torch.zeros(1, 4, device=device))


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 2)
        self.net = self.net.to(device)
        self.net = torch.load("net.pt", weights_only=False)["net"]

    def run(self, batch):
        self.net.train()
        return self.net(batch)
