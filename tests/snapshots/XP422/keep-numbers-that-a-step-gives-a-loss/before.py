import torch
from torch import nn
from torch.utils.data import DataLoader


class Border(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, outputs, targets, margins):
        return self._inner(outputs, targets, margins)

    def _inner(self, outputs, targets, margins):
        top, left = margins[0][1]
        top = int(top)
        left = int(left)
        return (outputs[:, top:, left:] - targets[:, top:, left:]).abs().mean()


def make_loss(width):
    made = Border(width)
    return made


def collate(samples):
    images, targets, margins = zip(*samples)
    return torch.stack(images), torch.stack(targets), margins


def train(batches, model, criterion, optimizer, device):
    for images, targets, margins in batches:
        images, targets = images.to(device), targets.to(device)
        loss = criterion(model(images), targets, margins)
        loss.backward()
        optimizer.step()


device = torch.device("cuda")
model = nn.Conv2d(1, 1, 3, padding=1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = make_loss(3).to(device)
images = [(torch.zeros(1, 8, 8), torch.zeros(1, 8, 8), ((8, 8), (0.0, 1.0)))] * 64
train(DataLoader(images, batch_size=8, collate_fn=collate), model, criterion, optimizer, device)
