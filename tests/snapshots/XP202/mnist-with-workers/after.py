import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def train(model, device, loader, optimizer):
    for data, target in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        loss = torch.nn.functional.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()


def main():
    device = torch_xla.device()
    flip = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
    data = datasets.MNIST("data", train=True, download=True, transform=flip)
    loader = DataLoader(data, batch_size=64, num_workers=2)
    model = torch.nn.Linear(784, 10).to(device)
    train(model, device, loader, torch.optim.SGD(model.parameters(), lr=0.1))
