import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Crops(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        crops = [torch.rand(3, size, size) for size in (8, 8, 4)]
        return crops


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 4, 1)

    def forward(self, crops):
        return torch.cat([self.layer(crop.cuda()).mean((2, 3)) for crop in crops])


def train(loader, model, optimizer):
    for crops in loader:
        loss = model(crops).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


net = Net().cuda()
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
train(DataLoader(Crops(), batch_size=8), nn.DataParallel(net), sgd)
