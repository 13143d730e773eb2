import torch
import torch_xla
from torch import nn

device = torch.device("xla")


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x, labels=None):
        logits = self.layer(x)
        loss = None
        if labels is not None:
            loss = nn.functional.cross_entropy(logits, labels)
        return loss, logits


model = Classifier().to(device)
correct = 0
total = torch.tensor([0.0], device=device)
with torch.no_grad():
    for x, y in torch.utils.data.DataLoader([]):
        loss, logits = model(x.to(device), y.to(device))
        total += loss
        torch_xla.sync()
print(total.item())
